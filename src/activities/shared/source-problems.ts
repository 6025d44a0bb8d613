import { ZodError } from 'zod';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { ContentStore } from '../../stores/content-store';
import { MissingArtifactError } from './artifacts';
import { openManifest } from './manifest';

/** What is wrong with the sources that a run was given; it holds them from now on. */
export async function sourceProblems(
  content: ContentStore,
  { runId, manifestRef, sourceCount }: { runId: string; manifestRef: ArtifactRef; sourceCount: number },
): Promise<string[]> {
  const manifest = `manifestRef is ${manifestRef}`;
  if (!(await content.has(manifestRef)))
    return [
      `${manifest}, which is not in this worker's content store; "colligate import", run on the worker's data folder, stores sources`,
    ];
  try {
    const { count, refs, between } = await openManifest(content, manifestRef);
    if (count !== sourceCount)
      return [`sourceCount is ${sourceCount}; allowed: ${count}, which the manifest lists`];
    const sources = await between(0, count);
    const texts = sources.flatMap(({ contentRef, summaryRef }) => [contentRef, summaryRef ?? contentRef]);
    const missing = await content.hold(runId, [...refs, ...new Set(texts)]);
    if (missing.length === 0) return [];
    return [`${manifest}, and ${missing.length} of the texts that it lists are not in the content store`];
  } catch (error) {
    if (error instanceof MissingArtifactError)
      return [`${manifest}, and a part of that list is not in the content store`];
    if (error instanceof ZodError || error instanceof SyntaxError)
      return [`${manifest}, which is no list of sources; "colligate import" gives one`];
    throw error;
  }
}
