import { traitsOf } from '../contracts/run/engines';
import { groupedBy } from '../core/values/grouped-by';
import { quotation } from '../core/writing/quotation';
import type { DocumentClaim, DocumentEvidence, DocumentSource, DocumentTree } from './document';

export interface EvidenceRow {
  evidence: DocumentEvidence;
  claim: DocumentClaim;
  source: DocumentSource;
}

export interface EvidencePart {
  id: string;
  title: string;
  /** Never empty. Disputed quotes come first. */
  rows: EvidenceRow[];
}

/**
 * The evidence beside prose that a model wrote: each quote once, in the first part that rests on it. Quotes that stand in the prose
 * are read there; the engine that only quotes writes such rows itself. An answer has none, whose passages are its list of sources.
 */
export function evidenceParts({ kind, engine, parts, claims, sources }: DocumentTree): EvidencePart[] {
  if (kind === 'answer' || engine === null || traitsOf(engine).framesQuotes) return [];
  const own = claims.filter(({ restates }) => restates !== true);
  const numbers = new Map(sources.map((source) => [source.n, source]));
  const all = own.flatMap((claim) =>
    claim.evidence.flatMap((evidence): EvidenceRow[] => {
      const source = numbers.get(evidence.source);
      if (source === undefined || claim.text.includes(quotation(evidence.quote))) return [];
      return [{ evidence, claim, source }];
    }),
  );
  const rows = [...groupedBy(all, ({ evidence: { source } }) => source).values()].flatMap(withoutRepeats);
  return parts.flatMap(({ id, title }) => {
    const kept = all.filter((row) => row.claim.partId === id && rows.includes(row));
    const ordered = [...kept.filter(isDisputed), ...kept.filter((row) => !isDisputed(row))];
    return ordered.length === 0 ? [] : [{ id, title, rows: ordered }];
  });
}

export function isDisputed({ evidence }: EvidenceRow): boolean {
  return evidence.isDisputed === true;
}

/** Of one source: a quote that stands within another one is read there. */
function withoutRepeats(rows: readonly EvidenceRow[]): EvidenceRow[] {
  return rows.filter(({ evidence: one }, at) =>
    rows.every(({ evidence: other }, otherAt) => {
      const isSame = one.start === other.start && one.end === other.end;
      const isWithin = other.start <= one.start && one.end <= other.end;
      return otherAt === at || !isWithin || (isSame && at < otherAt);
    }),
  );
}
