import { traitsOf } from '../../../contracts/run/engines';
import type { Finding, ValidatedFindings } from '../../../contracts/report/finding';
import { countWords } from '../../../core/writing/shorten';
import type { RunBrief } from '../../shared/ports';

/** What is left of a report's length for its sections: the summary, the assessment and the sources take the rest. */
const SECTIONS_SHARE = 0.65;
/** Of what a finding quotes so much is told beside what it claims: who says it, under which conditions, with which figures. */
const TOLD_OF_QUOTES = 0.5;
/** How far apart the counts of findings are that a model's share is reckoned by. */
const STEP = 1.25;

/**
 * A section's part of the report's length, by how much of the findings it has. A model is asked for no more words than its findings
 * have to tell: what is longer is padding. What it is asked says it in words, so the other part is not to change with every finding of
 * other sections: those are paid for already.
 */
export function targetWords(
  findings: readonly Finding[],
  validated: ValidatedFindings,
  { engine, synthesis }: Pick<RunBrief, 'engine' | 'synthesis'>,
): number {
  const all = Math.max(
    1,
    validated.sections.reduce((sum, section) => sum + section.findings.length, 0),
  );
  const words = synthesis.targetReportLength * SECTIONS_SHARE;
  const { length } = findings;
  const wanted = traitsOf(engine).asksModels
    ? Math.min(toTens(wordsOf(findings)), (words * length) / inSteps(all))
    : (words * length) / all;
  return Math.max(1, Math.round(wanted));
}

/** The words in which findings can be told. */
function wordsOf(findings: readonly Finding[]): number {
  return findings.reduce((sum, { claim, evidence }) => {
    const quoted = evidence.reduce((words, { quote }) => words + countWords(quote), 0);
    return sum + countWords(claim) + TOLD_OF_QUOTES * quoted;
  }, 0);
}

function toTens(words: number): number {
  return 10 * Math.ceil(words / 10);
}

function inSteps(count: number): number {
  return STEP ** Math.round(Math.log(count) / Math.log(STEP));
}
