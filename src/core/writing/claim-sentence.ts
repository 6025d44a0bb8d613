import { writingTexts } from '../../texts/writing';
import { citationMark } from '../text/citation-marks';
import type { Evidence, Finding } from '../../contracts/report/finding';
import { distinctBy } from '../values/distinct-by';
import { sentenceKey } from '../duplicates/near-duplicate-sentences';
import { type Attributable, sourceName } from './attribution';
import { evidenceQuotation } from './lead-in';
import { inert } from './quotation';

/** How many agreeing sources are quoted beside the first; the others are cited without a quote. */
const QUOTED_AGREEMENTS = 2;

interface Telling {
  named?: ReadonlySet<string>;
  /** What stands against it and is told nowhere else. */
  against?: Opposing;
}

export interface Opposing {
  quotes: readonly Evidence[];
  elsewhere: readonly string[];
}

const NOTHING: Opposing = { quotes: [], elsewhere: [] };

/**
 * A finding as its sources word it: `“…” (Doe 2011) [@a]; in agreement, “…” (Roe 2012) [@b]; against it, “…” (Loe 2013) [@c].` What was found stands first,
 * and who found it briefly behind it, unless the text has told that of the source: the list of sources has the titles.
 */
export function claimSentence(
  finding: Finding,
  sources: ReadonlyMap<string, Attributable>,
  { named = new Set(), against = NOTHING }: Telling = {},
): string {
  const [first, ...further] = distinctBy(finding.evidence, ({ sourceId }) => sourceId);
  if (first === undefined) return '';
  const rootOf = ({ sourceId }: Evidence): string => sources.get(sourceId)?.work?.id ?? sourceId;
  const others = distinctBy(further, rootOf, [rootOf(first)]);
  const ofSameWork = further.filter((evidence) => !others.includes(evidence));
  const told = (evidence: Evidence): string => {
    const { sourceId } = evidence;
    const source = sources.get(sourceId);
    return toldBy(evidence, source, { isNamed: named.has(sourceId) });
  };
  const keyOf = ({ quote }: Evidence): string => sentenceKey(quote);
  const quoted = distinctBy(others, keyOf, [keyOf(first)]).slice(0, QUOTED_AGREEMENTS);
  const rest = others.filter((evidence) => !quoted.includes(evidence));
  const cited = (reported: (amount: number) => string, those: readonly Evidence[]): string[] =>
    those.length === 0
      ? []
      : [`${reported(those.length)} ${citationMark(those.map(({ sourceId }) => sourceId))}`];
  return `${[
    told(first),
    ...quoted.map((evidence, at) => `${at === 0 ? writingTexts.inAgreement : ''}${told(evidence)}`),
    ...cited(writingTexts.sameReported, rest),
    ...cited(writingTexts.sameDocument, ofSameWork),
    ...against.quotes.map((evidence) => `${writingTexts.against}${told(evidence)}`),
    ...(against.elsewhere.length === 0 ? [] : [`${writingTexts.against}${citationMark(against.elsewhere)}`]),
  ].join('; ')}.`;
}

function toldBy(
  { sourceId, quote }: Evidence,
  source: Attributable | undefined,
  { isNamed }: { isNamed: boolean },
): string {
  const name = isNamed || source === undefined ? '' : sourceName(source);
  const by = name === '' ? '' : ` (${inert(name)})`;
  return `${evidenceQuotation(quote)}${by} ${citationMark([sourceId])}`;
}
