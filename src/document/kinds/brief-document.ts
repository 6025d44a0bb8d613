import type { Brief, BriefClaim } from '../../contracts/brief/brief';
import type { DocumentClaim, DocumentTree } from '../document';
import { leadingNotices } from '../markdown/chapters';
import { textAround } from '../text-around';
import { citedSource } from './cited-source';
import { sincePart, toldConflicts } from './told-alike';

/** A brief as a tree; its notices are read from its Markdown. */
export function briefDocument(brief: Brief, textOf: (sourceId: string) => string | null): DocumentTree {
  const { provenance, citations } = brief;
  const idOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  const [first, ...others] = brief.parts.map(({ id, title, markdown }) => ({ id, title, markdown }));
  return {
    kind: 'brief',
    id: brief.id,
    title: brief.title,
    question: brief.question,
    notices: leadingNotices(brief.markdown),
    parts: [...(first === undefined ? [] : [first]), ...sincePart(brief.since), ...others],
    claims: brief.claims.map((claim) => claimOf(claim, (n) => textOf(idOf.get(n) ?? ''))),
    setAside: brief.setAside.map(({ id, text, reason, partId, citations: sources }) => ({
      id,
      text,
      reason,
      partId,
      sources,
    })),
    conflicts: toldConflicts(brief.conflicts),
    gaps: [],
    followUps: [],
    sources: citations.map((source) => citedSource(source, source.timesCited, source.inFull)),
    asOf: provenance.asOf,
    engine: provenance.engine,
    version: provenance.runtime.colligate,
  };
}

function claimOf(claim: BriefClaim, textOfNumber: (n: number) => string | null): DocumentClaim {
  const { id, partId, start, end, text, verdict, reason, citations } = claim;
  return {
    id,
    partId,
    start,
    end,
    text,
    verdict,
    reason,
    confidence: null,
    sources: citations,
    evidence: claim.evidence.map(({ n, subtopicId, quote, start: from, end: to, page }) => ({
      source: n,
      quote,
      start: from,
      end: to,
      page: page ?? null,
      // A place in a summary is none in the source.
      ...textAround(subtopicId === null ? textOfNumber(n) : null, { quote, start: from, end: to }),
      ...(subtopicId === null ? {} : { ofSummary: true as const }),
    })),
  };
}
