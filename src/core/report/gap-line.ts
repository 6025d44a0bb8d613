import { writingTexts } from '../../texts/writing';
import { citationMark } from '../text/citation-marks';
import type { Gap } from '../../contracts/report/finding';
import { type Attributable, attributionOf } from '../writing/attribution';
import { inert } from '../writing/quotation';
import { evidenceQuotation } from '../writing/lead-in';

/** `**What is open?** Why.`, or `**Doe (2005) leaves open:** “X” [@a].` where a source says so itself. */
export function gapLine(
  { question, reason, evidence }: Gap,
  sources: ReadonlyMap<string, Attributable>,
): string {
  if (evidence === undefined) {
    const [what, why] = [question, reason].map((text) => inert(text));
    return `**${what}** ${why}`;
  }
  const { sourceId, quote } = evidence;
  const { subject, plural } = attributionOf(sources.get(sourceId) ?? { title: sourceId });
  return `**${writingTexts.leavesOpen(inert(subject), plural)}** ${evidenceQuotation(quote)} ${citationMark([sourceId])}.`;
}
