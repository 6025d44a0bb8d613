import {
  type DraftClaim,
  LIMITS_PART,
  type ReportSummary,
  type SectionDraft,
  SUMMARY_PART,
  type TextPart,
  type TextStatement,
  type WrittenText,
} from '../contracts/draft';
import type { Evidence, Finding } from '../contracts/finding';
import type { Outline } from '../contracts/outline';
import { ONE_AUTHORITATIVE, ONE_GENERAL, type SourcesById } from '../evidence/corroboration';
import { blocksIn, LIST_ITEM, plainText } from '../evidence/written-text';
import { terms } from '../text/words';
import type { ReportParts } from './chapters';
import { relevanceOfSources } from './ranked-outline';

// Converts a model's whole text to the parts of a report.

const UNCONFIRMED_CONFIDENCE = 0.5;
/** Maximum for an inference: no more than a statement of one good source. */
const MAX_INFERENCE_CONFIDENCE = 0.75;

export interface TextMaterial extends ClaimMaterial {
  outline: Outline;
}

export interface ClaimMaterial {
  findings: readonly Finding[];
  sources: SourcesById;
}

/** Converts a whole text to the parts of a report. Its own sections replace those of the outline. Pure. */
export function reportPartsOfText(
  text: WrittenText,
  followUpQuestions: string[],
  material: TextMaterial,
): Pick<ReportParts, 'outline' | 'drafts' | 'frame'> & { gaps: string[] } {
  const summary = text.parts.find(({ id }) => id === SUMMARY_PART);
  const sections = text.parts.filter((part) => part !== summary);
  const scores = [...relevanceOfSources(material.outline)].map(([sourceId, relevance]) => ({
    sourceId,
    relevance,
  }));
  const limits = text.parts.find(({ id }) => id === LIMITS_PART);
  return {
    outline: {
      ...material.outline,
      sections: sections.map(({ id, title }) => {
        const cited = new Set(statementsIn(text, id).flatMap(({ sourceIds }) => sourceIds));
        return {
          id,
          title,
          description: title,
          subsections: [],
          relevantSources: scores.filter(({ sourceId }) => cited.has(sourceId)),
          sourceScores: scores,
        };
      }),
    },
    drafts: sections.map((part) => ({ sectionId: part.id, draft: draftOfPart(text, part, material) })),
    frame: summary === undefined ? null : frameOfPart(text, summary, followUpQuestions, material),
    gaps: limits === undefined ? [] : gapsIn(limits),
  };
}

function statementsIn({ statements }: WrittenText, partId: string): TextStatement[] {
  return statements.filter((statement) => statement.partId === partId);
}

export function draftOfPart(text: WrittenText, part: TextPart, material: ClaimMaterial): SectionDraft {
  const setAside = text.removed
    .filter(({ partId }) => partId === part.id)
    .map(({ partId: _part, ...claim }) => ({ ...claim, action: 'left-out' as const }));
  return {
    markdown: part.markdown,
    claims: claimsIn(statementsIn(text, part.id), material),
    checked: { setAside },
  };
}

function frameOfPart(
  text: WrittenText,
  part: TextPart,
  followUpQuestions: string[],
  material: TextMaterial,
): ReportSummary {
  const { claims, checked } = draftOfPart(text, part, material);
  return {
    title: text.title,
    bullets: summaryBlocks(part.markdown),
    followUpQuestions,
    claims,
    ...(checked === undefined ? {} : { checked }),
  };
}

/** Blocks between blank lines, without headings. Each list item is a block, and so is a whole table. */
function summaryBlocks(markdown: string): string[] {
  return markdown.split(/\n\s*\n/).flatMap((chunk) => {
    const lines = chunk.split('\n').filter((line) => !line.startsWith('#') && line.trim() !== '');
    if (lines.length === 0) return [];
    if (lines.some((line) => line.startsWith('|'))) return [lines.join('\n')];
    return blocksIn(lines.join('\n')).map((block) => block.replace(/\n/g, ' '));
  });
}

/** Audited statements with citations. One rejected for its wording alone keeps its verdict. */
function claimsIn(statements: readonly TextStatement[], material: ClaimMaterial): DraftClaim[] {
  return statements.flatMap((statement) => {
    const { text, verdict, sourceIds } = statement;
    if (verdict === null || sourceIds.length === 0) return [];
    const restsOn = findingsOf(statement, material.findings);
    return [
      {
        text: text.replace(/\n/g, ' '),
        findingIds: restsOn.map(({ id }) => id),
        standing:
          verdict.verdict === 'unchecked' ? 'undecided' : verdict.code === 'critic' ? 'confirmed' : 'close',
        confidence: confidenceOf(statement, restsOn, material.sources),
        verdict,
      } satisfies DraftClaim,
    ];
  });
}

/** Findings that overlap its quotes; else the finding of its sources that shares most words. */
function findingsOf({ verdict, plain, sourceIds }: TextStatement, findings: readonly Finding[]): Finding[] {
  const quotes = quotesOf(verdict);
  const placed = findings.filter(({ evidence }) =>
    evidence.some((one) => quotes.some((quote) => overlaps(one, quote))),
  );
  if (placed.length > 0) return placed;
  const own = new Set(terms(plain));
  const near = findings
    .filter(({ citations }) => citations.some((id) => sourceIds.includes(id)))
    .map((finding) => ({ finding, shared: terms(finding.claim).filter((term) => own.has(term)).length }))
    .sort((a, b) => b.shared - a.shared);
  return near.slice(0, 1).flatMap(({ finding, shared }) => (shared > 1 ? [finding] : []));
}

function quotesOf(verdict: TextStatement['verdict']): Evidence[] {
  return [...(verdict?.quotes ?? []), ...(verdict?.evidence ? [verdict.evidence] : [])];
}

function overlaps(one: Evidence, other: Evidence): boolean {
  return one.sourceId === other.sourceId && one.start < other.end && other.start < one.end;
}

/** Lowest confidence of its findings: only pass 3 decides that sources agree. Loose wording: one general source at most. */
function confidenceOf(
  { verdict, severity, sourceIds }: TextStatement,
  restsOn: readonly Finding[],
  sources: SourcesById,
): number {
  const isLoose = severity === 'wording';
  if (verdict === null || !(verdict.verdict === 'supported' || verdict.verdict === 'inference' || isLoose))
    return UNCONFIRMED_CONFIDENCE;
  const isAuthoritative = sourceIds.some((id) => sources.get(id)?.quality.level === 'authoritative');
  const confidence =
    restsOn.length > 0
      ? Math.min(...restsOn.map((finding) => finding.confidence))
      : isAuthoritative
        ? ONE_AUTHORITATIVE
        : ONE_GENERAL;
  if (isLoose) return Math.min(ONE_GENERAL, confidence);
  return verdict.verdict === 'inference' ? Math.min(MAX_INFERENCE_CONFIDENCE, confidence) : confidence;
}

function gapsIn({ markdown }: TextPart): string[] {
  const [, list = ''] = markdown.split(/^#+ .*gaps?.*$/im);
  return blocksIn(list)
    .filter((block) => LIST_ITEM.test(block))
    .map((block) => plainText(block.replace(LIST_ITEM, '')));
}
