import { PROBLEMS_IN_FULL, problemsMessage } from '../invalid-sources-error';
import type { SourceProblem } from '../source-reading';

const ADVICE =
  'A subtopic is a note (.md, .txt), or in .json and .jsonl an object { "subtopic", "summary", "citations" or "sources" }.';

/** Subtopics that cannot be used. The message is ready for a terminal; `problems` are the first 20, `total` counts all. */
export class InvalidSubtopicsError extends Error {
  override readonly name = 'InvalidSubtopicsError';
  readonly problems: readonly SourceProblem[];
  readonly total: number;

  constructor(problems: readonly SourceProblem[]) {
    const told = problems.slice(0, PROBLEMS_IN_FULL);
    super(problemsMessage('subtopics', told, { total: problems.length, advice: ADVICE }));
    this.problems = told;
    this.total = problems.length;
  }
}
