import { traitsOf } from '../../../contracts/run/engines';
import type { ValidatedFindings } from '../../../contracts/report/finding';
import type { RunBrief } from '../../shared/ports';

/** What is left of a report's length for its sections: the summary, the assessment and the sources take the rest. */
const SECTIONS_SHARE = 0.65;
/** A model is asked for no more words on a finding than can be said of it: what is longer is padding. */
const MOST_WORDS_A_FINDING = 160;
/** How far apart the counts of findings are that a model's share is reckoned by. */
const STEP = 1.25;

/**
 * A section's part of the report's length, by how much of the findings it has. What a model is asked says it in words, so it is
 * not to change with every finding of other sections: those are paid for already.
 */
export function targetWords(
  findings: number,
  validated: ValidatedFindings,
  { engine, synthesis }: Pick<RunBrief, 'engine' | 'synthesis'>,
): number {
  const all = Math.max(
    1,
    validated.sections.reduce((sum, section) => sum + section.findings.length, 0),
  );
  const words = synthesis.targetReportLength * SECTIONS_SHARE;
  const each = traitsOf(engine).asksModels
    ? Math.min(MOST_WORDS_A_FINDING, words / inSteps(all))
    : words / all;
  return Math.max(1, Math.round(each * findings));
}

function inSteps(count: number): number {
  return STEP ** Math.round(Math.log(count) / Math.log(STEP));
}
