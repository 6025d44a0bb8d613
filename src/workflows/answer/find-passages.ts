import type { AdmittedAnswer } from '../../activities/answer/admit-answer';
import type { ToldCritique } from '../../activities/answer/write-answer';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { activities } from './activities';
import type { AnswerRun } from './carried-answer';

export interface FoundPassages {
  passagesRef: ArtifactRef;
  passages: number;
  documents: number;
  /** Of the passages together, in UTF-16 units. */
  chars: number;
  /** What was looked for: the question, and further wordings of it. */
  queries: string[];
  /** Whether they are all that there is. */
  isWhole: boolean;
}

/** Whether there is more to look through than was found. */
export function canBroaden(
  run: AnswerRun,
  { manifestRef, given }: AdmittedAnswer,
  { isWhole }: FoundPassages,
): boolean {
  return !isWhole && (manifestRef !== null || given > run.input.answers.passages);
}

/**
 * Looks for passages by the question; in a conversation, and where it is looked more broadly, by other wordings of it too,
 * which know what was said, looked for and missing before.
 */
export async function findPassages(
  run: AnswerRun,
  admitted: AdmittedAnswer,
  at: { attempt: number; before: FoundPassages | null; critique: ToldCritique | null },
): Promise<FoundPassages> {
  const { facts, carried, input } = run;
  const { attempt, before, critique } = at;
  const { manifestRef, givenRef, historyRef } = admitted;
  const since = Date.now();
  const queries = [...(before?.queries ?? [input.question])];
  if (before !== null || historyRef !== null) {
    const request = {
      run: facts,
      attempt,
      historyRef,
      queries,
      passagesRef: before?.passagesRef ?? null,
      critiqueRef: critique?.critiqueRef ?? null,
    };
    const rewritten = await run.askModel(
      activities.rewriteQuestion,
      request,
      `attempt ${attempt} · word the question otherwise`,
      'it was looked for in the words that there are',
    );
    queries.push(...(rewritten?.queries ?? []).filter((query) => !queries.includes(query)));
  }
  const { passages: few, broaderPassages } = input.answers;
  const most = before === null ? few : broaderPassages;
  const request = { run: facts, manifestRef, givenRef, queries, most };
  const found = await run.carryOut(
    activities.retrievePassages,
    request,
    `attempt ${attempt} · find ${most} passages${before === null ? '' : ', more broadly'}`,
  );
  const { passagesRef, passages, documents, chars, answerable, isWhole } = found;
  carried.passagesRef = passagesRef;
  carried.trace.push({
    node: 'retriever',
    attempt,
    queries,
    passages,
    documents,
    answerable,
    broader: before !== null,
    duration_ms: Date.now() - since,
  });
  return { passagesRef, passages, documents, chars, queries, isWhole };
}
