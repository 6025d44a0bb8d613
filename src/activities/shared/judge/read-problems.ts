import type { ArtifactRef } from '../../../contracts/run/artifact';
import { Judgement } from '../../../contracts/judge/judgement';
import { problemsOfPart } from '../../../core/judge/problems-of-part';
import type { ContentStore } from '../../../stores/content-store';
import { readShared } from '../artifacts';

/** What a judge named of a part; null where there is no judgement, or it names nothing there. */
export async function readProblems(
  content: ContentStore,
  judgementRef: ArtifactRef | undefined,
  partId: string,
  known: Parameters<typeof problemsOfPart>[2] = {},
): Promise<ReturnType<typeof problemsOfPart> | null> {
  if (judgementRef === undefined) return null;
  const problems = problemsOfPart(await readShared(content, judgementRef, Judgement), partId, known);
  return problems.length === 0 ? null : problems;
}
