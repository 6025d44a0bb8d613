import { traitsOf } from '../contracts/run/engines';
import { remarksByAmount, toldConfidence } from '../core/report/told-confidence';
import { groupedBy } from '../core/values/grouped-by';
import { sourceName } from '../core/writing/attribution';
import { quotation } from '../core/writing/quotation';
import type { DocumentClaim, DocumentEvidence, DocumentSource, DocumentTree } from './document';

export interface EvidenceRow {
  evidence: DocumentEvidence;
  claim: DocumentClaim;
  source: DocumentSource;
  /** `Doe 2011`; empty where neither is known. */
  name: string;
  /** How sure the claim is, where that is not as most are; null of most. */
  confidence: string | null;
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
  const sureness = new Map(own.map((claim) => [claim, surenessOf(claim)]));
  const [usual] = remarksByAmount([...sureness.values()].flatMap((one) => one ?? []));
  const numbers = new Map(sources.map((source) => [source.n, source]));
  const all = own.flatMap((claim) =>
    claim.evidence.flatMap((evidence): EvidenceRow[] => {
      const source = numbers.get(evidence.source);
      if (source === undefined || claim.text.includes(quotation(evidence.quote))) return [];
      const known = sureness.get(claim) ?? null;
      const remark = known === null ? null : toldConfidence(known);
      return [
        { evidence, claim, source, name: nameOf(source), confidence: remark === usual ? null : remark },
      ];
    }),
  );
  const rows = [...groupedBy(all, ({ evidence: { source } }) => source).values()].flatMap(withoutRepeats);
  return parts.flatMap(({ id, title }) => {
    const kept = all.filter((row) => row.claim.partId === id && rows.includes(row));
    const ordered = [...kept.filter(isDisputed), ...kept.filter((row) => !isDisputed(row))];
    return ordered.length === 0 ? [] : [{ id, title, rows: ordered }];
  });
}

function nameOf({ author, site, publishedAt, title }: DocumentSource): string {
  return sourceName({
    title,
    author: author ?? undefined,
    site: site ?? undefined,
    publishedAt: publishedAt ?? undefined,
  });
}

function surenessOf({
  confidence,
  notCrossChecked,
}: DocumentClaim): { confidence: number; validated: boolean } | null {
  return confidence === null ? null : { confidence, validated: notCrossChecked !== true };
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
