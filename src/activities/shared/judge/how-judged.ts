import { Judgement, type JudgedVersion, type ReportJudge } from '../../../contracts/judge/judgement';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { ContentStore } from '../../../stores/content-store';
import { readShared } from '../artifacts';

/** What a text says of how it was judged, from what its run carries of it. */
export async function howJudged(
  content: ContentStore,
  judge: { judgementRef: ArtifactRef; version: number; versions: JudgedVersion[] },
): Promise<ReportJudge> {
  const { judgementRef, version, versions } = judge;
  return { ...(await readShared(content, judgementRef, Judgement)), version, versions };
}
