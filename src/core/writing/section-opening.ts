import type { Finding } from '../contracts/finding';
import { withinSentence } from '../gaps/material';
import { inert } from './quotation';

/** Fewer findings are read at a glance. */
const WORTH_COUNTING = 4;
const NO_EFFECT =
  /\bno (?:[\w-]+ ){0,4}(?:differences?|effects?|changes?|improvements?|benefits?|evidence|impact)\b|\b(?:did|does|do|was|were|had|has) not\b|\bunchanged\b|\bsimilar (?:between|in|for|among|across)\b|\bnon-?significant|\bneither\b/i;
const EFFECT =
  /\b(?:increas|decreas|improv|reduc|higher|lower|greater|fewer|better|worse|declin|gain|lost|faster|superior|effective)/i;

/** Whether a claim tells of an effect on something, whatever else it found none on. */
export function tellsOfEffect(claim: string): boolean {
  return (
    EFFECT.test(claim) &&
    !/\bno (?:significant |statistically )*(?:differences?|effects?|changes?)\b/i.test(claim)
  );
}

/** What a section's findings amount to, counted: how many sources, and how many findings of no effect. */
export function sectionOpening(title: string, findings: readonly Finding[]): string | null {
  if (findings.length < WORTH_COUNTING) return null;
  const sources = new Set(findings.flatMap(({ citations }) => citations));
  const without = findings.filter(({ claim }) => NO_EFFECT.test(claim));
  const beside = without.filter(({ claim }) => EFFECT.test(claim)).length;
  const silent = `${without.length === 0 ? 'none' : without.length} of the findings ${without.length === 1 ? 'tells' : 'tell'} of no effect or no difference`;
  const some = beside === without.length ? '' : `${beside} of those `;
  const other = beside === 0 ? '' : `, ${some}beside an effect on something else`;
  return `On ${subjectOf(title)}, ${sources.size} sources give ${findings.length} findings; ${silent}${other}.`;
}

/** A section that has a question for its title is on that question. */
function subjectOf(title: string): string {
  return /[?…]$/.test(title) ? 'the question as a whole' : inert(withinSentence(title));
}
