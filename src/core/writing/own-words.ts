import { citationMark } from '../text/citation-marks';
import type { Evidence, Finding } from '../../contracts/report/finding';
import { distinctBy } from '../values/distinct-by';
import { sentenceKey } from '../duplicates/near-duplicate-sentences';
import { type Attributable, attributionOf, authorNames } from './attribution';
import { moreSources } from './count';
import { inert, quotation } from './quotation';

/** How many sources are quoted; the others are cited without a quote. */
const QUOTED = 3;

/**
 * A finding as its sources word it, for the place of a sentence that they did not bear: who says it where an author is known,
 * and the quotes. No titles: a sentence that replaces what a model made up takes nothing else along.
 */
export function ownWords(finding: Finding, sources: ReadonlyMap<string, Attributable>): string {
  const all = distinctBy(finding.evidence, ({ sourceId }) => sourceId);
  const quoted = distinctBy(all, ({ quote }) => sentenceKey(quote)).slice(0, QUOTED);
  const rest = all.filter((evidence) => !quoted.includes(evidence)).map(({ sourceId }) => sourceId);
  const said = quoted.map((evidence) => {
    const words = `${quotation(evidence.quote)} ${citationMark([evidence.sourceId])}`;
    const lead = leadOf(evidence, sources);
    return lead === null ? words : `${lead}: ${words}`;
  });
  const more =
    rest.length === 0 ? '' : `; the same is reported by ${moreSources(rest.length)} ${citationMark(rest)}`;
  return `${said.join('; ')}${more}.`;
}

/** `Doe and colleagues (2011) report`; null where no author is known. */
function leadOf({ sourceId }: Evidence, sources: ReadonlyMap<string, Attributable>): string | null {
  const { author, publishedAt } = sources.get(sourceId) ?? {};
  if (authorNames(author).length === 0) return null;
  const { subject, plural } = attributionOf({ title: '', author, publishedAt });
  return `${inert(subject)} ${plural ? 'report' : 'reports'}`;
}
