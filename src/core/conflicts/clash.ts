import type { Concept } from '../assertions/assertion';
import type { Evidence } from '../contracts/finding';
import type { Comparison } from './comparison';
import type { QuotedAssertion } from './quoted-assertions';

/** Two quotes that contradict each other. */
export interface Clash {
  a: QuotedAssertion;
  b: QuotedAssertion;
  comparison: Comparison;
}

/** What the two contradict each other about. */
export function aboutOf({ comparison: { about, topic } }: Clash): Concept {
  return { text: topic, terms: about };
}

export function evidenceKey(evidence: Evidence): string {
  return `${evidence.sourceId}@${evidence.start}-${evidence.end}`;
}
