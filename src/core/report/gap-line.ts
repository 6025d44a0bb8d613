import { citationMark } from '../text/citation-marks';
import type { Gap } from '../../contracts/report/finding';
import { type Attributable, attributionOf } from '../writing/attribution';
import { inert, quotation } from '../writing/quotation';

/** `**What is open?** Why.`, or `**Doe (2005) leaves open:** “X” [@a].` where a source says so itself. */
export function gapLine(
  { question, reason, evidence }: Gap,
  sources: ReadonlyMap<string, Attributable>,
): string {
  if (evidence === undefined) return `**${inert(question)}** ${inert(reason)}`;
  const { sourceId, quote } = evidence;
  const { subject, plural } = attributionOf(sources.get(sourceId) ?? { title: sourceId });
  return `**${inert(subject)} ${plural ? 'leave' : 'leaves'} open:** ${quotation(quote)} ${citationMark([sourceId])}.`;
}
