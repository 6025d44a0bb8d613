import type { z } from 'zod';
import type { Report } from '../../contracts/report/report';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { RunBefore, SinceLast } from '../../contracts/run/since';
import { SourceManifest, type SourceEntry } from '../../contracts/source/source';
import { diffReports } from '../../diff/diff-reports';
import { sinceForgotten, sinceLast } from '../../diff/since/since-last';
import type { ContentStore } from '../../stores/content-store';
import { readShared, MissingArtifactError, readArtifact } from './artifacts';

interface Comparable<Stored> {
  schema: z.ZodType<Stored>;
  asReport: (stored: Stored) => Report;
  after: () => Report;
  manifestRef: ArtifactRef | undefined;
}

/** What changed since the run before; absent where there is none, and told to be unknown where it is not kept any more. */
export async function sinceBefore<Stored>(
  content: ContentStore,
  before: RunBefore | undefined,
  { schema, asReport, after, manifestRef }: Comparable<Stored>,
): Promise<SinceLast | undefined> {
  if (before === undefined) return undefined;
  try {
    const earlier = asReport(await readArtifact(content, before.reportRef, schema));
    const [had, has] = [await sourcesOf(content, before.manifestRef), await sourcesOf(content, manifestRef)];
    const read = had === null || has === null ? null : { before: had, after: has };
    const diff = diffReports(earlier, after(), read);
    return sinceLast({ ...diff, before: { ...diff.before, id: before.runId } });
  } catch (error) {
    if (error instanceof MissingArtifactError) return sinceForgotten(before.runId);
    throw error;
  }
}

async function sourcesOf(
  content: ContentStore,
  ref: ArtifactRef | undefined,
): Promise<readonly SourceEntry[] | null> {
  if (ref === undefined) return null;
  try {
    return (await readShared(content, ref, SourceManifest)).sources;
  } catch (error) {
    if (error instanceof MissingArtifactError) return null;
    throw error;
  }
}
