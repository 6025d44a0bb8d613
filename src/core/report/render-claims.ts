import { citedIds } from '../text/citation-marks';
import type { SectionDraft, Standing } from '../../contracts/report/draft';
import type { Conflict, Evidence, Finding } from '../../contracts/report/finding';
import type { ReportClaim } from '../../contracts/report/report';
import type { Page } from '../../contracts/source/source';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { placeOfQuote } from '../sources/pages-of';
import { newestDate } from '../writing/attribution';
import { type CitationLabels, type CitationNumbers, numbersOf, renderWithOffsets } from './citation-numbers';
import { quotedVerdict } from '../settled-text/quoted-verdict';

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
