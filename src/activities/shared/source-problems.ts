import { SourceManifest } from '../../contracts/source/source';
import { ZodError } from 'zod';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { ContentStore } from '../../stores/content-store';
import { readShared } from './artifacts';

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
    const { sources } = await readShared(content, manifestRef, SourceManifest);
    if (sources.length !== sourceCount)
      return [`sourceCount is ${sourceCount}; allowed: ${sources.length}, which the manifest lists`];
    const texts = sources.flatMap(({ contentRef, summaryRef }) => [contentRef, summaryRef ?? contentRef]);
    const missing = await content.hold(runId, [manifestRef, ...new Set(texts)]);
    if (missing.length === 0) return [];
    return [`${manifest}, and ${missing.length} of the texts that it lists are not in the content store`];
  } catch (error) {
    if (error instanceof ZodError || error instanceof SyntaxError)
      return [`${manifest}, which is no list of sources; "colligate import" gives one`];
    throw error;
  }
}
