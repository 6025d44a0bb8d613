import type { Finding } from '../../contracts/report/finding';
import type { Attributable } from '../writing/attribution';
import { sentenceWording } from './sentence-wording';
import type { Wording } from './settle-text';

/**
 * How the bullets of a summary are worded once it is known whether they stand. A bullet is prose on the whole: no quote, in its
 * author's first person, stands in the place of one that does not.
 */
export function summaryWording(
  findings: readonly Finding[],
  sources: ReadonlyMap<string, Attributable>,
): Wording {
  return { ...sentenceWording(findings, sources), ownWords: () => null };
}
