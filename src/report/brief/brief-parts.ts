import type { Brief, BriefCitation, BriefClaim, BriefEvidence, BriefMaterial } from '../../contracts/brief';
import type { SectionDraft } from '../../contracts/draft';
import type { ClaimVerdict, Finding, Verdict } from '../../contracts/finding';
import type { JudgedDocument, ReportJudge } from '../../contracts/judgement';
import type { SinceLast } from '../../contracts/run-input';
import type { BriefSettings } from '../../contracts/run-settings';
import { isSupported } from '../../evidence/decide-statement';
import { citedIds } from '../../lib/citation-marks';
import { unescapeMarkdown } from '../../lib/untrusted-text';
import { briefTexts } from '../answer-texts';
import { type CitationNumbers, numbersOf } from '../citations';
import { type ClaimRenderContext, renderClaims } from '../claims';
import { type BriefTemplate, type TemplatePart, templateParts } from './brief-template';

/** Best first; a claim is as good as the worst of its statements. */
const VERDICTS_BEST_FIRST: readonly Verdict[] = [
  'supported',
  'inference',
  'unchecked',
  'partial',
  'unsupported',
  'contradicted',
];

/** Unsupported statements are rejected before; one that only scores low may be a paraphrase. */
const OPEN_VERDICT: Pick<ClaimVerdict, 'verdict' | 'code' | 'reason'> = {
  verdict: 'unchecked',
  code: 'open',
  reason: 'Words alone cannot tell whether the text of its source bears it.',
};

export interface RenderedPart extends Pick<WrittenPart, 'id' | 'title' | 'role'> {
  markdown: string;
  citations: number[];
}

export interface PartsMaterial extends EvidenceMaterial {
  sources: ClaimRenderContext['sources'];
}

/** Renders the parts and numbers their claims. A sentence that cites no source of the index is no claim. */
export function renderParts(
  written: readonly WrittenPart[],
  rendering: PartsMaterial,
): { parts: RenderedPart[]; claims: BriefClaim[] } {
  const { findings, material, sources, numbers } = rendering;
  const idOf = new Map([...numbers].map(([id, n]) => [n, id]));
  const claims: BriefClaim[] = [];
  const parts = written.map(({ id, title, role, draft }): RenderedPart => {
    const rendered = renderClaims(draft, {
      findings,
      conflicts: material.conflicts,
      sources,
      numbers,
      labels: numbers,
    });
    for (const { claim, findingIds } of rendered.claims) {
      if (claim.citations.length === 0) continue;
      const { text, start, end, citations, verdict, code = 'open', reason, probability = null } = claim;
      const { told, checkedAgainst } = claimVerdict(
        { verdict, code, reason, probability },
        findingIds,
        material,
      );
      const cited = citations.flatMap((n) => idOf.get(n) ?? []);
      claims.push({
        id: `claim-${claims.length + 1}`,
        partId: id,
        text,
        start,
        end,
        citations,
        verdict: told.verdict,
        code: told.code,
        reason: told.reason,
        probability: told.probability ?? null,
        checkedAgainst,
        evidence: claimEvidence(cited, findingIds, rendering),
      });
    }
    return {
      id,
      title,
      role,
      markdown: rendered.markdown,
      citations: numbersOf(citedIds(draft.markdown), numbers),
    };
  });
  return { parts, claims };
}

interface EvidenceMaterial {
  material: Pick<BriefMaterial, 'places' | 'checks' | 'conflicts'>;
  findings: ReadonlyMap<string, Finding>;
  summaries: ReadonlyMap<string, string>;
  numbers: CitationNumbers;
}

type PartialVerdict = Pick<ClaimVerdict, 'verdict' | 'code' | 'reason'> & Partial<ClaimVerdict>;

/** The text's verdict against its statements; if these support it, their worst verdict against their sources. */
function claimVerdict(
  told: PartialVerdict,
  findingIds: readonly string[],
  { checks }: Pick<BriefMaterial, 'checks'>,
): { told: PartialVerdict; checkedAgainst: 'sources' | 'summaries' } {
  const made = findingIds.flatMap((id) => {
    const check = checks[id];
    if (check === undefined) return [];
    return check.verdict === 'unsupported' ? { ...check, ...OPEN_VERDICT } : check;
  });
  const checkedAgainst = made.length > 0 && made.length === findingIds.length ? 'sources' : 'summaries';
  if (!isSupported(told)) return { told, checkedAgainst };
  const worst = made.reduce<ClaimVerdict | null>(
    (one, other) => (one === null || verdictRank(other) > verdictRank(one) ? other : one),
    null,
  );
  return { told: worst === null || isSupported(worst) ? told : worst, checkedAgainst };
}

function verdictRank({ verdict }: { verdict: Verdict }): number {
  return VERDICTS_BEST_FIRST.indexOf(verdict);
}

/**
 * Evidence of a claim: its statements in the summaries, once for each source that it cites, then the supporting places in the sources'
 * texts. A cited source that none of its statements cites contradicts them: its statement is that of the conflict.
 */
function claimEvidence(
  citedIds: readonly string[],
  findingIds: readonly string[],
  bearing: EvidenceMaterial,
): BriefEvidence[] {
  const { material, findings, numbers } = bearing;
  const own = findingIds.flatMap((id) => findings.get(id) ?? []);
  const borne = new Set(own.flatMap(({ citations }) => citations));
  const opposing = material.conflicts
    .filter((conflict) => conflict.findingIds.some((id) => findingIds.includes(id)))
    .flatMap((conflict) => conflict.findingIds.flatMap((id) => findings.get(id) ?? []))
    .filter(({ id }) => !findingIds.includes(id));
  const resting = [
    ...own.map((finding) => ({ finding, cites: finding.citations })),
    ...[...new Set(opposing)].map((finding) => ({
      finding,
      cites: finding.citations.filter((id) => !borne.has(id)),
    })),
  ].map(({ finding, cites }) => ({ finding, cited: cites.filter((id) => citedIds.includes(id)) }));
  const told = resting.filter(({ cited }) => cited.length > 0);
  return [
    ...told.flatMap(({ finding, cited }) => cited.flatMap((id) => summaryEvidence(finding, id, bearing))),
    ...told.flatMap(({ finding }) => {
      const place = material.checks[finding.id]?.evidence ?? null;
      const n = place === null ? undefined : numbers.get(place.sourceId);
      if (place === null || n === undefined) return [];
      const { sourceId: _id, ...quoted } = place;
      return [{ n, subtopicId: null, ...quoted }];
    }),
  ];
}

function summaryEvidence(
  { id }: Finding,
  sourceId: string,
  { material, summaries, numbers }: EvidenceMaterial,
): BriefEvidence[] {
  const n = numbers.get(sourceId);
  return (material.places[id] ?? []).flatMap(({ subtopicId, start, end }) => {
    const quote = summaries.get(subtopicId)?.slice(start, end) ?? '';
    return n === undefined || quote === '' ? [] : [{ n, subtopicId, quote, start, end }];
  });
}

export interface WrittenPart extends TemplatePart {
  role: 'summary' | 'body' | 'conclusions';
  draft: SectionDraft;
}

/** The parts in the template's order, and a sentence on missing parts; null if none is missing. */
export function writtenParts({
  template,
  material,
  drafts,
}: Pick<BriefParts, 'template' | 'material' | 'drafts'>): {
  written: WrittenPart[];
  missing: string | null;
} {
  const subtopics = material?.subtopics ?? [];
  const draftOf = new Map(drafts.map(({ partId, draft }) => [partId, draft]));
  const wanted = templateParts(template, subtopics);
  const written = wanted.flatMap((part): WrittenPart[] => {
    const draft = draftOf.get(part.id);
    const text = draft === undefined || draft.markdown === '' ? emptySubtopic(part.id, material) : draft;
    return text === null ? [] : [{ ...part, role: roleOf(part.id), draft: text }];
  });
  const there = new Set(written.map(({ id }) => id));
  return { written, missing: missingPartsNote(wanted, there) };
}

function emptySubtopic(partId: string, material: BriefMaterial | null): SectionDraft | null {
  const subtopic = material?.subtopics.find(({ id }) => id === partId);
  if (material === null || subtopic === undefined || subtopic.findings.length > 0) return null;
  const isRefuted = material.setAside.some(({ subtopicId }) => subtopicId === partId);
  const isTold = Object.values(material.places).some((places) =>
    places.some(({ subtopicId }) => subtopicId === partId),
  );
  if (isRefuted) return { markdown: briefTexts.refuted, claims: [] };
  return { markdown: isTold ? briefTexts.toldBefore : briefTexts.statesNothing, claims: [] };
}

/** Names subtopics by number: the quality check would count a title as covered. */
function missingPartsNote(wanted: readonly TemplatePart[], there: ReadonlySet<string>): string | null {
  const missing = wanted.filter(({ id }) => !there.has(id));
  if (missing.length === 0) return null;
  if (missing.length === wanted.length) return briefTexts.nothingWritten;
  const subtopics = wanted.filter(({ id }) => roleOf(id) === 'body');
  const numbers = subtopics.flatMap(({ id }, at) => (there.has(id) ? [] : [at + 1]));
  const frame = missing.flatMap(({ id }) => {
    const role = roleOf(id);
    return role === 'body' ? [] : [role];
  });
  return briefTexts.missing(frame, numbers, subtopics.length);
}

function roleOf(partId: string): WrittenPart['role'] {
  return partId === 'summary' || partId === 'conclusions' ? partId : 'body';
}

export interface JudgedBrief extends Pick<Brief, 'question' | 'title'> {
  parts: readonly RenderedPart[];
  claims: readonly BriefClaim[];
  setAside: readonly Pick<Brief['setAside'][number], 'partId' | 'text' | 'sourceIds' | 'verdict'>[];
  material: BriefMaterial | null;
  citations: { all: readonly BriefCitation[]; listed: readonly BriefCitation[] };
  targetWords: number | null;
}

export function judgedBrief(brief: JudgedBrief): JudgedDocument {
  const { question, title, parts, claims, setAside, material, citations, targetWords } = brief;
  const idOf = new Map(citations.all.map(({ n, sourceId }) => [n, sourceId]));
  const listed = new Set(citations.listed.map(({ n }) => n));
  return {
    question,
    title,
    parts: parts.map(({ id, title: heading, role, markdown }) => ({ id, title: heading, role, markdown })),
    claims: [
      ...claims.map(({ partId, text, citations: cited, verdict }) => ({
        partId,
        text: plainClaim(text),
        written: text,
        sourceIds: cited.flatMap((n) => idOf.get(n) ?? []),
        verdict,
        stands: true,
      })),
      ...setAside.map(({ partId, text, sourceIds, verdict }) => ({
        partId,
        text,
        sourceIds,
        verdict,
        stands: false,
      })),
    ],
    topics: (material?.subtopics ?? []).map(({ id, title: topic, findings }) => {
      const aside = material?.setAside.filter(({ subtopicId }) => subtopicId === id).length ?? 0;
      return {
        id,
        title: topic,
        ...(aside === 0 ? {} : { setAside: aside }),
        statements: findings.map(({ claim, citations: sourceIds }) => ({ text: claim, sourceIds })),
      };
    }),
    conflicts: (material?.conflicts ?? []).map(({ topic, viewpoints }) => ({
      topic,
      viewpoints: viewpoints.map(({ statement, citations: sourceIds }) => ({ text: statement, sourceIds })),
    })),
    sources: citations.all.map(({ sourceId, n, title: named, site, publishedAt }) => ({
      ...(publishedAt === undefined ? {} : { publishedAt }),
      sourceId,
      n: listed.has(n) ? n : null,
      title: named,
      site: site ?? null,
    })),
    targetWords,
  };
}

function plainClaim(text: string): string {
  const unmarked = text
    .replace(/\[\d+\]/g, '')
    .replace(/\s+(?=[.,;:!?)])/g, '')
    .replace(/(?<!\.)\.\.$/, '.');
  return unescapeMarkdown(unmarked.replace(/(?<!\\)\*{1,3}/g, '')).trim();
}

/** Data for assembling a brief. A run that ended early has less, and the brief reports the missing parts. */
export interface BriefParts {
  id: string;
  question: string;
  status: Brief['status'];
  /** Why the run ended early, as a sentence for the reader; null for a complete run. */
  endedEarly: string | null;
  /** Failures of passes and their replacements, one sentence for the reader each. */
  shortfalls: string[];
  settings: BriefSettings;
  template: BriefTemplate;
  material: BriefMaterial | null;
  summaries: ReadonlyMap<string, string>;
  title: string;
  drafts: { partId: string; draft: SectionDraft }[];
  /** Null if it is not judged yet, or if no judge is set. */
  judge: ReportJudge | null;
  since?: SinceLast | undefined;
  warnings: Brief['warnings'];
  estimate?: Brief['estimate'];
  usage: Brief['usage'];
  timings: Brief['timings'];
  provenance: Brief['provenance'];
}
