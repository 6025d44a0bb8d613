import { stripUnsafe } from '../core/text/untrusted-text';
import { placeOf, type SourceProblem } from './source-reading';

export const PROBLEMS_IN_FULL = 20;

const MAX_LINE_CHARS = 400;

/**
 * Sources that cannot be used. The message is ready for a terminal; `problems` are the first 20, `total` counts
 * all.
 */
export class InvalidSourcesError extends Error {
  override readonly name = 'InvalidSourcesError';
  readonly problems: readonly SourceProblem[];
  readonly total: number;

  constructor(problems: readonly SourceProblem[], total: number, advice: string) {
    super(
      total === 0
        ? `There is no source to read.\n${advice}`
        : problemsMessage('sources', problems.slice(0, PROBLEMS_IN_FULL), { total, advice }),
    );
    this.problems = problems.slice(0, PROBLEMS_IN_FULL);
    this.total = total;
  }
}

/** `notes/a.md:3: what is wrong`, on one line, without anything that a terminal would obey. */
export function problemLine({ file, line, message }: SourceProblem): string {
  const text = stripUnsafe(`${placeOf(file, line)}: ${message}`).replace(/\s+/g, ' ');
  return text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}…` : text;
}

export function problemsMessage(
  given: 'sources' | 'subtopics',
  problems: readonly SourceProblem[],
  { total, advice }: { total: number; advice: string },
): string {
  const rest = total - problems.length;
  return [
    `${total} ${total === 1 ? 'problem' : 'problems'} with the ${given}; nothing was started.`,
    ...problems.map((problem) => `  ${problemLine(problem)}`),
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
    advice,
  ].join('\n');
}
