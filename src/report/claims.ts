import { placeOfQuote } from '../contracts/answer';
import type { SectionDraft, SupportStatus } from '../contracts/draft';
import {
  type ClaimVerdict,
  type Conflict,
  type Evidence,
  type Finding,
  Verdict,
  type VerdictCounts,
} from '../contracts/finding';
import { capabilitiesOf } from '../contracts/pipeline';
import type { Report, ReportClaim } from '../contracts/report';
import type { Page } from '../contracts/source';
import { type Level, writingTexts } from '../contracts/wording';
import { CONFIDENCE_REMARK, confidenceWord } from '../evidence/corroboration';
import { countVerdicts } from '../evidence/decide-statement';
import { citedIds } from '../lib/citation-marks';
import { groupBy } from '../lib/iterables';
import { formatQuote } from '../lib/untrusted-text';
import { newestDate } from './attribution';
import { type CitationLabels, type CitationNumbers, numbersOf, renderWithOffsets } from './citations';
import { evidenceQuotation } from './claim-sentence';
import { type Check, type ClaimOutcome, type EvidenceKind, reportTexts } from './report-texts';

// Claims of a report: rendering, verdict counts, and remarks in the text.

/** Document 002's confidence for a single good source: a critic's confirmation rests on one reading of one quote. */
const CONFIRMED_CONFIDENCE = 0.75;

export interface RenderedClaim {
  claim: Omit<ReportClaim, 'id' | 'sectionId'>;
  findingIds: string[];
}

type VerdictWithReason = Pick<ClaimVerdict, 'verdict' | 'code' | 'reason'> & Partial<ClaimVerdict>;

export interface ClaimRenderContext {
  findings: ReadonlyMap<string, Finding>;
  conflicts: readonly Conflict[];
  sources: ReadonlyMap<string, { publishedAt?: string | undefined; pages?: Page[] | undefined }>;
  numbers: CitationNumbers;
  labels: CitationLabels;
}

/** Renders a draft and locates its claims. A cited source without a finding of the claim is the other side of a conflict. */
export function renderClaims(
  draft: SectionDraft,
  { findings, conflicts, sources, numbers, labels }: ClaimRenderContext,
): { markdown: string; claims: RenderedClaim[] } {
  const { rendered: markdown, offsetOf } = renderWithOffsets(draft.markdown, labels);
  let from = 0;
  const claims: RenderedClaim[] = [];
  for (const { text, findingIds, standing, confidence, verdict } of draft.claims) {
    const at = draft.markdown.indexOf(text, from);
    if (at < 0) continue; // checked when the section is written
    from = at + text.length;
    const [start, end] = [offsetOf(at), offsetOf(from)];
    const cited = citedIds(text);
    const backing = findingIds.flatMap((id) => findings.get(id) ?? []);
    const own = backing
      .flatMap((finding) => finding.evidence)
      .filter((item) => cited.includes(item.sourceId));
    const quotes = [...own, ...opposingEvidence(conflicts, findingIds, uncoveredSources(cited, own))];
    const told: VerdictWithReason = verdict ?? unauditedVerdict(standing, text, quotes);
    const evidence = verdictEvidenceFirst(told, quotes);
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

/** The verdict's evidence first. A place that was found by words is replaced with the quote that contains it. */
function verdictEvidenceFirst(
  { code, evidence: place = null }: Pick<VerdictWithReason, 'code' | 'evidence'>,
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

function uncoveredSources(sourceIds: readonly string[], evidence: readonly Evidence[]): string[] {
  return sourceIds.filter((id) => !evidence.some(({ sourceId }) => sourceId === id));
}

function opposingEvidence(
  conflicts: readonly Conflict[],
  findingIds: readonly string[],
  sourceIds: readonly string[],
): Evidence[] {
  const said = conflicts
    .filter((conflict) => conflict.findingIds.some((id) => findingIds.includes(id)))
    .flatMap(({ viewpoints }) => viewpoints.flatMap(({ evidence }) => evidence));
  return sourceIds.flatMap((id) => said.find(({ sourceId }) => sourceId === id) ?? []);
}

/** A finding's confidence is that of its own words. Close paraphrases keep it; a confirmed claim has `CONFIRMED_CONFIDENCE` at most. */
function ownConfidence(
  { confidence, unvalidated }: Pick<Finding, 'confidence' | 'unvalidated'>,
  standing: SupportStatus | undefined,
): Pick<Finding, 'confidence' | 'unvalidated'> {
  const own = standing === 'confirmed' ? Math.min(confidence, CONFIRMED_CONFIDENCE) : confidence;
  return { confidence: own, ...(unvalidated === undefined ? {} : { unvalidated }) };
}

/** Verdict of a claim without an audit: from its support status, or from a quotation of its evidence. */
function unauditedVerdict(
  standing: SupportStatus | undefined,
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

type CheckedClaim = Pick<ReportClaim, 'verdict' | 'code'>;

/** How the statements of a report and its summary were checked, and the results. Rejected claims are counted separately. */
export function summarizeCheck({
  claims,
  summaryClaims = [],
  setAside,
  provenance,
}: Pick<Report, 'setAside' | 'provenance'> & {
  claims: readonly CheckedClaim[];
  summaryClaims?: readonly CheckedClaim[] | undefined;
}): Check {
  const all = [...summaryClaims, ...claims];
  const { claims: stated, supported, inference, unchecked } = countVerdicts(all);
  const { critic, strong } = provenance.models;
  const isAsked = [...all, ...setAside].some(({ code }) => code === 'critic');
  const by = capabilitiesOf(provenance.engine).framesQuotes
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

function isUnchecked({ verdict }: Pick<ReportClaim, 'verdict'>): boolean {
  return verdict === 'unchecked';
}

export function withUncheckedMarks(
  markdown: string,
  claims: readonly Pick<ReportClaim, 'start' | 'end' | 'verdict'>[],
): string {
  return claims
    .filter(isUnchecked)
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { end }) => withRemarkAt(text, end, writingTexts.unchecked), markdown);
}

/**
 * Adds to each block the lowest confidence of its claims, or `(unchecked)`. If all blocks of a model's summary
 * have the same confidence, returns it once in `confidence`.
 */
export function markSummary(
  { markdown, claims }: { markdown: string; claims: readonly RenderedClaim[] },
  { isQuoted, marksOpen }: { isQuoted: boolean; marksOpen: boolean },
): { blocks: string[]; confidence: string } {
  let from = 0;
  const read = markdown.split('\n\n').map((text) => {
    const [start, end] = [from, from + text.length];
    from = end + 2;
    const own = claims.flatMap(({ claim }) => (claim.start >= start && claim.end <= end ? [claim] : []));
    const level = confidenceWord(Math.min(...own.map(({ confidence }) => confidence)));
    const told: Level | 'unchecked' = marksOpen && !isQuoted && own.some(isUnchecked) ? 'unchecked' : level;
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
    const marked = mark === null ? text : withRemarkAt(text, text.length, remarkText(mark));
    return [isQuoted ? `- ${marked}` : marked];
  });
  return { blocks, confidence: '' };
}

function remarkText(mark: Level | 'unchecked'): string {
  return mark === 'unchecked' ? writingTexts.unchecked : writingTexts.confidence(mark, true);
}

/**
 * Inserts the remark before the full stop at the offset, or in the last cell of a row: `… by 12 % [1]
 * (unchecked).`
 */
function withRemarkAt(text: string, end: number, remark: string): string {
  const at = end - (/(?:[.!?]|\s*\|)?$/.exec(text.slice(0, end))?.[0].length ?? 0);
  return `${text.slice(0, at)} (${remark})${text.slice(at)}`;
}

export interface RejectedClaimOutcome {
  fate: Exclude<ClaimOutcome, 'stands'>;
  part: string;
}

/** Number of claims for each verdict and the outcome of unsupported ones. `bearing` is the material that they were checked against. */
export function claimsLine(
  audit: VerdictCounts,
  setAside: readonly RejectedClaimOutcome[],
  { bearing = 'passages' }: { bearing?: EvidenceKind },
): string {
  const { claims, supported, inference } = audit;
  if (claims === 0) return reportTexts.noClaim;
  if (supported === claims) return reportTexts.allSupported(claims, bearing);
  const counts = Verdict.options
    .map((verdict) => ({ verdict, amount: audit[verdict] }))
    .filter(({ verdict, amount }) => verdict === 'supported' || amount > 0);
  const open = claims - supported - inference;
  const became = open === 0 ? '' : outcomeText(open, setAside);
  return reportTexts.claimsHeld(claims, bearing, counts, became);
}

function outcomeText(open: number, setAside: readonly RejectedClaimOutcome[]): string {
  const having = (fate: ClaimOutcome): number => setAside.filter((one) => one.fate === fate).length;
  const fates = (['left-out', 'removed', 'stands'] as const)
    .map((fate) => ({ fate, amount: fate === 'stands' ? open - setAside.length : having(fate) }))
    .filter(({ amount }) => amount > 0);
  const parts = [...groupBy(setAside, ({ part }) => part)].map(([part, own]) => ({
    amount: own.length,
    part: formatQuote(part),
  }));
  return reportTexts.claimsOpen(open, fates, parts.length === 0 ? '' : reportTexts.asidesListed(parts));
}

/**
 * Regular expression source for the note that earlier releases wrote in place of a rejected claim, with the space
 * before it.
 */
export const REJECTED_CLAIM_NOTE = `(?:${writingTexts.read.aside})`;

/** Remarks that reports add to a claim: confidence, date, number of sources, and the note on rejected claims. */
const REMARKS: readonly RegExp[] = [
  new RegExp(` ?\\((?:${CONFIDENCE_REMARK})\\)`, 'g'),
  // Written by earlier releases.
  /: (?:High|Medium|Low) confidence[^()]{0,40}\(\d\.\d\d\) - Supported by .*$/gs,
  new RegExp(REJECTED_CLAIM_NOTE, 'g'),
  ...writingTexts.read.remarks.map((remark) => new RegExp(remark, 'g')),
];

export function withoutOwnRemarks(sentence: string): string {
  return REMARKS.reduce((text, remark) => text.replace(remark, ''), sentence).trim();
}

/** Supported if the claim quotes its evidence in any frame, else null. Findings were checked against their sources before. */
export function quotedVerdict(claim: string, evidence: readonly Evidence[]): ClaimVerdict | null {
  const quoted = evidence.filter(({ quote }) =>
    [formatQuote(quote), evidenceQuotation(quote)].some((words) => claim.includes(words)),
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
