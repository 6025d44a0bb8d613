import type { AnswerPassage } from '../../contracts/answer/answer-passage';
import { RetrievedPassages } from '../../contracts/answer/answer-passage';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { Critique } from '../../contracts/verification/critique';
import { critiqueForPassages } from '../../answers/critique/critique-for-passages';
import type { ContentStore } from '../../stores/content-store';
import { readIfAny, readShared } from '../shared/artifacts';

/** What was wrong with an earlier text. */
export interface ToldCritique {
  critiqueRef: ArtifactRef;
  /** The passages that it names by their ids; null where it names sources, as a caller's does. */
  passagesRef: ArtifactRef | null;
}

/** A critique as it is told to a writer who reads these passages; null where there is none. */
export async function readCritiqueFor(
  content: ContentStore,
  told: ToldCritique | null,
  now: readonly AnswerPassage[],
): Promise<Critique | null> {
  if (told === null) return null;
  const critique = await readShared(content, told.critiqueRef, Critique);
  const before = await readIfAny(content, told.passagesRef, RetrievedPassages);
  return critiqueForPassages(critique, { of: before?.passages ?? null, now });
}
