import { placeOfQuote } from '../contracts/answer';
import type { SectionDraft, Standing } from '../contracts/draft';
import {
  type ClaimVerdict,
  type Conflict,
  type Evidence,
  type Finding,
  Verdict,
  type VerdictCounts,
} from '../contracts/finding';
import { traitsOf } from '../contracts/pipeline';
import type { Report, ReportClaim } from '../contracts/report';
import type { Page } from '../contracts/source';
import { type Level, writingTexts } from '../contracts/wording';
import { CONFIDENCE_REMARK, confidenceWord } from '../evidence/corroboration';
import { countVerdicts } from '../evidence/decide-statement';
import { citedIds } from '../lib/citation-marks';
import { groupedBy } from '../lib/iterables';
import { quotation } from '../lib/untrusted-text';
import { newestDate } from './attribution';
import { type CitationLabels, type CitationNumbers, numbersOf, renderWithOffsets } from './citations';
import { evidenceQuotation } from './claim-sentence';
import { type Bearing, type Check, type Fate, reportTexts } from './report-texts';

/** Words that a critic confirmed rest on one reading of one quote: document 002 gives a single good source as much. */
const CONFIRMED = 0.75;

export interface RenderedClaim {
  claim: Omit<ReportClaim, 'id' | 'sectionId'>;
  findingIds: string[];
}

type Told = Pick<ClaimVerdict, 'verdict' | 'code' | 'reason'> & Partial<ClaimVerdict>;

export interface ClaimMaterial {
  findings: ReadonlyMap<string, Finding>;
  conflicts: readonly Conflict[];
  sources: ReadonlyMap<string, { publishedAt?: string | undefined; pages?: Page[] | undefined }>;
  numbers: CitationNumbers;
  labels: CitationLabels;
}

/**
 * A section's draft with what it cites by instead of marks, and its claims with their offsets in that text. A source that a claim
 * cites and none of its findings rests on is one that contradicts them; its quote is that of the conflict.
 */
export function renderClaims(
  draft: SectionDraft,
  { findings, conflicts, sources, numbers, labels }: ClaimMaterial,
): { markdown: string; claims: RenderedClaim[] } {
  const { rendered: markdown, offsetOf } = renderWithOffsets(draft.markdown, labels);
  let from = 0;
  const claims: RenderedClaim[] = [];
  for (const { text, findingIds, standing, confidence, verdict } of draft.claims) {
    const at = draft.markdown.indexOf(text, from);
    if (at < 0) continue; // the step's check holds this for written sections
    from = at + text.length;
    const [start, end] = [offsetOf(at), offsetOf(from)];
    const cited = citedIds(text);
    const backing = findingIds.flatMap((id) => findings.get(id) ?? []);
    const own = backing
      .flatMap((finding) => finding.evidence)
      .filter((item) => cited.includes(item.sourceId));
    const quotes = [...own, ...opposing(conflicts, findingIds, without(cited, own))];
    const told: Told = verdict ?? unauditedVerdict(standing, text, quotes);
    const evidence = withPlaceFirst(told, quotes);
    const asOf = newestDate(cited.map((id) => sources.get(id)?.publishedAt));
    claims.push({
      findingIds,
      claim: {
        text: markdown.slice(start, end),
        start,
        end,
        citations: numbersOf(cited, numbers),
        confidence:
          confidence ?? Math.min(...backing.map((finding) => ownConfidence(finding, standing).confidence)),
        ...(asOf === undefined ? {} : { asOf }),
        validated: backing.length > 0 && backing.every((finding) => finding.unvalidated !== true),
        verdict: told.verdict,
        code: told.code,
        reason: told.reason,
        ...(told.probability === undefined ? {} : { probability: told.probability }),
        evidence: evidence.flatMap(({ sourceId, ...quoted }) => {
          const n = numbers.get(sourceId);
          return n === undefined
            ? []
            : [{ n, ...quoted, ...placeOfQuote(sources.get(sourceId)?.pages, quoted) }];
        }),
      },
    });
  }
  return { markdown, claims };
}

/**
 * What the verdict rests on, then what else bears the claim. A critic's own words are told by themselves; a place that was found
 * by words is that of the quote which holds it, so that none is told twice.
 */
function withPlaceFirst(
  { code, evidence: place = null }: Pick<Told, 'code' | 'evidence'>,
  quotes: readonly Evidence[],
): readonly Evidence[] {
  if (place === null) return quotes;
  const isPlace = ({ sourceId, start, end }: Evidence): boolean =>
    sourceId === place.sourceId && start === place.start && end === place.end;
  const holdsPlace = ({ sourceId, start, end }: Evidence): boolean =>
    sourceId === place.sourceId && start <= place.start && place.end <= end;
  const holding = code === 'critic' ? undefined : quotes.find(holdsPlace);
  const first = holding ?? place;
  return [first, ...quotes.filter((quote) => quote !== first && !isPlace(quote))];
}

function without(sourceIds: readonly string[], evidence: readonly Evidence[]): string[] {
  return sourceIds.filter((id) => !evidence.some(({ sourceId }) => sourceId === id));
}

function opposing(
  conflicts: readonly Conflict[],
  findingIds: readonly string[],
  sourceIds: readonly string[],
): Evidence[] {
  const said = conflicts
    .filter((conflict) => conflict.findingIds.some((id) => findingIds.includes(id)))
    .flatMap(({ viewpoints }) => viewpoints.flatMap(({ evidence }) => evidence));
  return sourceIds.flatMap((id) => said.find(({ sourceId }) => sourceId === id) ?? []);
}

/**
 * What a sentence may take over of its finding's confidence. That is of the finding's own words: words close to them have
 * all of it, other words never more than their own.
 */
function ownConfidence(
  { confidence, unvalidated }: Pick<Finding, 'confidence' | 'unvalidated'>,
  standing: Standing | undefined,
): Pick<Finding, 'confidence' | 'unvalidated'> {
  const own = standing === 'confirmed' ? Math.min(confidence, CONFIRMED) : confidence;
  return { confidence: own, ...(unvalidated === undefined ? {} : { unvalidated }) };
}

/** What is known of a claim of a draft that no audit has seen: how it was found to stand, or whether it quotes its evidence. */
function unauditedVerdict(
  standing: Standing | undefined,
  claim: string,
  evidence: readonly Evidence[],
): Pick<ClaimVerdict, 'verdict' | 'code' | 'reason'> {
  if (standing === 'close') {
    const reason = 'The claim keeps to the words of what it cites.';
    return { verdict: 'supported', code: 'same-words', reason };
  }
  if (standing === 'confirmed') {
    const reason = 'A critic confirmed the claim with a quote of what it cites.';
    return { verdict: 'supported', code: 'critic', reason };
  }
  const quoted = quotedVerdict(claim, evidence);
  if (quoted !== null) return { verdict: quoted.verdict, code: quoted.code, reason: quoted.reason };
  const reason = 'The claim is not a quotation and was not audited.';
  return { verdict: 'unchecked', code: 'open', reason };
}

type Judged = Pick<ReportClaim, 'verdict' | 'code'>;

/**
 * How the statements of a report, those of a written summary included, were checked, and with which result. Those that were set aside
 * are counted apart.
 */
export function checkOf({
  claims,
  summaryClaims = [],
  setAside,
  provenance,
}: Pick<Report, 'setAside' | 'provenance'> & {
  claims: readonly Judged[];
  summaryClaims?: readonly Judged[] | undefined;
}): Check {
  const all = [...summaryClaims, ...claims];
  const { claims: stated, supported, inference, unchecked } = countVerdicts(all);
  const { critic, strong } = provenance.models;
  const isAsked = [...all, ...setAside].some(({ code }) => code === 'critic');
  const by = traitsOf(provenance.engine).framesQuotes
    ? 'quoting'
    : !isAsked
      ? 'words'
      : critic === undefined || critic === strong
        ? 'same-model'
        : 'other-model';
  const doubtful = stated - supported - inference - unchecked;
  const numberAbsent = all.filter(
    ({ verdict, code }) => verdict === 'inference' && code === 'number-absent',
  ).length;
  return { by, stated, supported, inference, unchecked, numberAbsent, doubtful, setAside: setAside.length };
}

/** True if a reader has to be told, in the text, that the claim is not known to be supported. */
function isOpen({ verdict }: Pick<ReportClaim, 'verdict'>): boolean {
  return verdict === 'unchecked';
}

/** The text with `(unchecked)` behind each claim that no check confirmed. */
export function withUncheckedMarks(
  markdown: string,
  claims: readonly Pick<ReportClaim, 'start' | 'end' | 'verdict'>[],
): string {
  return claims
    .filter(isOpen)
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { end }) => withRemarkAt(text, end, writingTexts.unchecked), markdown);
}

/**
 * The blocks of a summary in Markdown, each with the confidence of the least certain of its claims, or with `(unchecked)` in one that a model
 * wrote and no critic read: a shortened quote is no other claim. Where a model's blocks are all as sure, one line below them says so of all.
 */
export function markedSummary(
  { markdown, claims }: { markdown: string; claims: readonly RenderedClaim[] },
  { isQuoted, marksOpen }: { isQuoted: boolean; marksOpen: boolean },
): { blocks: string[]; confidence: string } {
  let from = 0;
  const read = markdown.split('\n\n').map((text) => {
    const [start, end] = [from, from + text.length];
    from = end + 2;
    const own = claims.flatMap(({ claim }) => (claim.start >= start && claim.end <= end ? [claim] : []));
    const level = confidenceWord(Math.min(...own.map(({ confidence }) => confidence)));
    const told: Level | 'unchecked' = marksOpen && !isQuoted && own.some(isOpen) ? 'unchecked' : level;
    const mark = own.length === 0 || text.startsWith('|') ? null : told;
    return { text, mark };
  });
  const marks = read.flatMap(({ mark }) => mark ?? []);
  const [first] = marks;
  if (
    !isQuoted &&
    marks.length > 1 &&
    first !== undefined &&
    first !== 'unchecked' &&
    marks.every((one) => one === first)
  )
    return { blocks: read.map(({ text }) => text), confidence: writingTexts.allAsSure(first) };
  const blocks = read.flatMap(({ text, mark }) => {
    if (text === '') return [];
    const marked = mark === null ? text : withRemarkAt(text, text.length, remarkOf(mark));
    return [isQuoted ? `- ${marked}` : marked];
  });
  return { blocks, confidence: '' };
}

function remarkOf(mark: Level | 'unchecked'): string {
  return mark === 'unchecked' ? writingTexts.unchecked : writingTexts.confidence(mark, true);
}

/** Before the full stop that ends at the offset, or in the last cell of a row: `… by 12 % [1] (unchecked).` */
function withRemarkAt(text: string, end: number, remark: string): string {
  const at = end - (/(?:[.!?]|\s*\|)?$/.exec(text.slice(0, end))?.[0].length ?? 0);
  return `${text.slice(0, at)} (${remark})${text.slice(at)}`;
}

export interface AsideTold {
  fate: Exclude<Fate, 'stands'>;
  part: string;
}

/**
 * Under the title: how many claims there are, how many have which verdict, and what became of those that are not supported: how
 * many are set aside, in which parts, and how many stand all the same. None of them is repeated. `bearing` is what they were
 * held against.
 */
export function claimsLine(
  audit: VerdictCounts,
  setAside: readonly AsideTold[],
  { bearing = 'passages' }: { bearing?: Bearing },
): string {
  const { claims, supported, inference } = audit;
  if (claims === 0) return reportTexts.noClaim;
  if (supported === claims) return reportTexts.allSupported(claims, bearing);
  const counts = Verdict.options
    .map((verdict) => ({ verdict, amount: audit[verdict] }))
    .filter(({ verdict, amount }) => verdict === 'supported' || amount > 0);
  const open = claims - supported - inference;
  const became = open === 0 ? '' : whatBecame(open, setAside);
  return reportTexts.claimsHeld(claims, bearing, counts, became);
}

function whatBecame(open: number, setAside: readonly AsideTold[]): string {
  const having = (fate: Fate): number => setAside.filter((one) => one.fate === fate).length;
  const fates = (['left-out', 'removed', 'stands'] as const)
    .map((fate) => ({ fate, amount: fate === 'stands' ? open - setAside.length : having(fate) }))
    .filter(({ amount }) => amount > 0);
  const parts = [...groupedBy(setAside, ({ part }) => part)].map(([part, own]) => ({
    amount: own.length,
    part: quotation(part),
  }));
  return reportTexts.claimsOpen(open, fates, parts.length === 0 ? '' : reportTexts.asidesListed(parts));
}

/** Matches the note that earlier releases left in the place of a claim that was set aside, with the blank before it; the source of a regular expression. */
export const ASIDE_NOTE = `(?:${writingTexts.read.aside})`;

/** What a report of this program adds to a claim: how far it can be relied on, of what date it is, how many sources bear it, what stood beside it. */
const REMARKS: readonly RegExp[] = [
  new RegExp(` ?\\((?:${CONFIDENCE_REMARK})\\)`, 'g'),
  // Of releases before.
  /: (?:High|Medium|Low) confidence[^()]{0,40}\(\d\.\d\d\) - Supported by .*$/gs,
  new RegExp(ASIDE_NOTE, 'g'),
  ...writingTexts.read.remarks.map((remark) => new RegExp(remark, 'g')),
];

export function withoutOwnRemarks(sentence: string): string {
  return REMARKS.reduce((text, remark) => text.replace(remark, ''), sentence).trim();
}

/**
 * A claim that carries the words of its evidence in quotation marks is supported by them, whatever frames them; null for one
 * that does not. That the evidence stands in its source at its offsets was checked when the finding was made.
 */
export function quotedVerdict(claim: string, evidence: readonly Evidence[]): ClaimVerdict | null {
  const quoted = evidence.filter(({ quote }) =>
    [quotation(quote), evidenceQuotation(quote)].some((words) => claim.includes(words)),
  );
  const [first] = quoted;
  if (first === undefined) return null;
  const sources = new Set(quoted.map(({ sourceId }) => sourceId)).size;
  return {
    verdict: 'supported',
    code: 'same-words',
    reason:
      sources === 1
        ? 'The claim quotes its source word for word.'
        : `The claim quotes ${sources} sources word for word.`,
    evidence: first,
    probability: null,
  };
}
