import type { Evidence, Finding } from '../contracts/finding';
import { writingTexts } from '../contracts/wording';
import { citationMark } from '../lib/citation-marks';
import { distinctBy } from '../lib/iterables';
import { formatQuote, toSafeLine } from '../lib/untrusted-text';
import { sentenceKey } from '../text/duplicates';
import { isNegator } from '../text/polarity';
import { splitSentences } from '../text/sentences';
import { isReportingWord, placedWords, STOP_WORDS, terms } from '../text/words';
import { type Attributable, sourceName } from './attribution';
import joiningWords from './data/joining-words.json';

const QUOTED_AGREEMENTS = 2;

interface ClaimContext {
  named?: ReadonlySet<string>;
  /** Opposing evidence that no other sentence states. */
  against?: Opposing;
}

export interface Opposing {
  quotes: readonly Evidence[];
  elsewhere: readonly string[];
}

const NO_OPPOSITION: Opposing = { quotes: [], elsewhere: [] };

/**
 * A finding in its sources' words: `“…” (Doe 2011) [@a]; in agreement, “…” (Roe 2012) [@b]; against it, “…” (Loe 2013) [@c].` Sources in
 * `named` are not named again. The source list has the titles.
 */
export function claimSentence(
  finding: Finding,
  sources: ReadonlyMap<string, Attributable>,
  { named = new Set(), against = NO_OPPOSITION }: ClaimContext = {},
): string {
  const [first, ...further] = distinctBy(finding.evidence, ({ sourceId }) => sourceId);
  if (first === undefined) return '';
  const rootOf = ({ sourceId }: Evidence): string => sources.get(sourceId)?.work?.id ?? sourceId;
  const others = distinctBy(further, rootOf, [rootOf(first)]);
  const ofSameWork = further.filter((evidence) => !others.includes(evidence));
  const told = (evidence: Evidence): string => {
    const { sourceId } = evidence;
    const source = sources.get(sourceId);
    return attributedQuote(evidence, source, { isNamed: named.has(sourceId) });
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

function attributedQuote(
  { sourceId, quote }: Evidence,
  source: Attributable | undefined,
  { isNamed }: { isNamed: boolean },
): string {
  const name = isNamed || source === undefined ? '' : sourceName(source);
  const by = name === '' ? '' : ` (${toSafeLine(name)})`;
  return `${evidenceQuotation(quote)}${by} ${citationMark([sourceId])}`;
}

/** `The authors conclude that`, `we found that`: a few words without a clause of their own. */
const LEAD_IN = /^[^,;:.()]{2,60}?\sthat\s+/;

export function evidenceQuotation(quote: string): string {
  return formatQuote(withoutLeadIn(quote));
}

/** `… prices fell` for `We found that prices fell`. Keeps lead-ins that deny, doubt or report others (`it was reported that`). */
export function withoutLeadIn(quote: string): string {
  const lead = LEAD_IN.exec(quote)?.[0] ?? '';
  const words = placedWords(lead);
  const isLeadIn =
    splitSentences(quote).length === 1 &&
    words.some(({ word }) => joiningWords.oneself.includes(word)) &&
    words.some(({ stem, word }) => isReportingWord(stem) && !joiningWords.oneself.includes(word)) &&
    words.every(
      ({ stem, word }, at) => (isReportingWord(stem) || STOP_WORDS.has(word)) && !isNegator(words, at),
    );
  return isLeadIn ? `… ${quote.slice(lead.length)}` : quote;
}

/** `title` is null for the findings that open the section. */
export interface FindingGroup {
  title: string | null;
  findings: Finding[];
}

/** Smaller groups join the section's opening. */
const MIN_FINDINGS = 2;

/** Puts each finding under the first subsection that lists one of its sources; others open the section. The order stays. */
export function groupBySubsection(
  subsections: readonly { title: string; sourceIds: string[] }[],
  findings: readonly Finding[],
): FindingGroup[] {
  const placeOf = ({ citations }: Finding): number =>
    subsections.findIndex(({ sourceIds }) => citations.some((id) => sourceIds.includes(id)));
  const groups = subsections
    .map(({ title }, at) => ({ title, findings: findings.filter((finding) => placeOf(finding) === at) }))
    .filter(({ findings: own }) => own.length >= MIN_FINDINGS && own.length < findings.length);
  const placed = new Set(groups.flatMap((group) => group.findings));
  return [{ title: null, findings: findings.filter((finding) => !placed.has(finding)) }, ...groups];
}

const MAX_CHARS = 220;
const PART_ENDS = [': ', '. ', '? ', ' – '];
const MIN_TERMS = 3;
/** A quote with this share of a title's words states its topic itself. */
const MAX_SHARED_TERMS = 0.5;

/** The title of a quote's source if the quote lacks most of its terms; else null. */
export function missingTitle(quote: string, title: string): string | null {
  const said = new Set(terms(quote));
  const telling = [...new Set(terms(title))];
  if (telling.length < MIN_TERMS) return null;
  const shared = telling.filter((term) => said.has(term)).length;
  return shared >= MAX_SHARED_TERMS * telling.length ? null : firstTitleParts(title.trim());
}

/** Null if a title is too long and has no parts: it is quoted, and a quote is not cut. */
function firstTitleParts(title: string): string | null {
  if (title.length <= MAX_CHARS) return title;
  const start = title.slice(0, MAX_CHARS);
  const end = Math.max(...PART_ENDS.map((mark) => start.lastIndexOf(mark)));
  return end <= 0 ? null : start.slice(0, end);
}
