import type { Brief, BriefClaim, BriefCitation } from '../contracts/brief/brief';
import type { BriefMaterial } from '../contracts/brief/brief-material';
import type { JudgedDocument } from '../contracts/judge/judged-document';
import { unescapedMarkdown } from '../core/text/markdown-addresses';
import type { RenderedPart } from './render-parts';

export interface JudgedBrief extends Pick<Brief, 'question' | 'title'> {
  parts: readonly RenderedPart[];
  claims: readonly BriefClaim[];
  /** Claims of the text that were set aside; what a summary said wrongly is counted with its topic. */
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
  return unescapedMarkdown(unmarked.replace(/(?<!\\)\*{1,3}/g, '')).trim();
}
