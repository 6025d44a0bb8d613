import { RunId } from '../core/contracts/run';

/** What is wrong with a question, as sentences for the user; nothing for a good one. */
export function questionProblems(question: string): string[] {
  return question.trim() === '' ? ['QUESTION is empty: ask something, in quotation marks.'] : [];
}

/** What is wrong with a run's id. */
export function runIdProblems(runId: string, name: string): string[] {
  const parsed = RunId.safeParse(runId);
  return parsed.success
    ? []
    : [
        `${name} is ${JSON.stringify(runId)}: ${parsed.error.issues.map((issue) => issue.message).join('; ')}.`,
      ];
}
