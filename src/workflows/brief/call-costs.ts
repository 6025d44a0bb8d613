import type { WorstCase } from '../../core/budget/budget-ledger';
import { CALL_SIZES } from '../../core/budget/call-estimates';
import { worstCase } from '../run/call-costs';
import type { BriefRun } from './brief-run';
import type { Gathered, Planned } from './carried-brief';
import { CHARS_A_WORD, CHARS_AROUND_STATEMENT } from './in-histories';

/** How much a prompt has of statements and sources at most: statements stand there with the quotes that bear them. */
export function materialChars({ subtopics, statements, sources }: Gathered): number {
  const words = subtopics.reduce((sum, subtopic) => sum + subtopic.words, 0);
  return 2 * words * CHARS_A_WORD + (statements + sources) * CHARS_AROUND_STATEMENT;
}

export function costOfPlan(run: BriefRun, gathered: Gathered): WorstCase {
  const parts = gathered.subtopics.length + 2;
  return worstCase(run, 'plan', CALL_SIZES.planBrief(parts, materialChars(gathered)));
}

/** Of all parts in one call. */
export function costOfText(run: BriefRun, gathered: Gathered, { parts }: Planned): WorstCase {
  const words = parts.reduce((sum, part) => sum + part.words, 0);
  return worstCase(run, 'write', CALL_SIZES.writeBrief(words, parts.length, materialChars(gathered)));
}

export function costOfPart(run: BriefRun, gathered: Gathered, { parts }: Planned, partId: string): WorstCase {
  const words = parts.find(({ id }) => id === partId)?.words ?? 0;
  return worstCase(run, 'write', CALL_SIZES.writeBriefPart(words, parts.length, materialChars(gathered)));
}
