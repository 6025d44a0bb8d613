import type { Texts } from '../../texts/texts';
import { translated } from '../../texts/stored';
import { citationMark } from '../text/citation-marks';
import type { Gap } from '../../contracts/report/finding';
import { type Attributable, attributionOf } from '../writing/attribution';
import { inert } from '../writing/quotation';
import { evidenceQuotation } from '../writing/lead-in';

/** `**What is open?** Why.`, or `**Doe (2005) leaves open:** “X” [@a].` where a source says so itself. */
export function gapLine(
  { question, reason, evidence }: Gap,
  sources: ReadonlyMap<string, Attributable>,
  texts: Texts,
): string {
  if (evidence === undefined) {
    const [what, why] = [question, reason].map((text) => inert(translated(text, texts.language)));
    return `**${what}** ${why}`;
  }
  const { sourceId, quote } = evidence;
  const { subject, plural } = attributionOf(sources.get(sourceId) ?? { title: sourceId }, texts);
  return `**${texts.writing.leavesOpen(inert(subject), plural)}** ${evidenceQuotation(quote)} ${citationMark([sourceId])}.`;
}
