import type { Finding } from '../contracts/finding';
import { count } from './count';
import { inert } from './quotation';
import { withinSentence } from './within-sentence';

/** Fewer findings are read at a glance. */
const WORTH_COUNTING = 4;

/** What a section's findings amount to, counted: how many sources, and how many findings a single one bears. */
export function sectionOpening(title: string, findings: readonly Finding[]): string | null {
  if (findings.length < WORTH_COUNTING) return null;
  const sources = new Set(findings.flatMap(({ citations }) => citations)).size;
  const single = findings.filter(({ citations }) => citations.length < 2).length;
  return `On ${subjectOf(title)}, ${count(sources, 'source')} ${sources === 1 ? 'gives' : 'give'} ${findings.length} findings; ${howMany(single, findings.length)} on a single source.`;
}

function howMany(some: number, all: number): string {
  if (some === 0) return 'none rests';
  if (some === all) return 'each rests';
  return `${some} of them ${some === 1 ? 'rests' : 'rest'}`;
}

/** A section that has a question for its title is on that question. */
function subjectOf(title: string): string {
  return /[?…]$/.test(title) ? 'the question as a whole' : inert(withinSentence(title));
}
