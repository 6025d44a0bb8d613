import type { Evidence } from '../../contracts/report/finding';
import type { SourceQuality } from '../../contracts/source/source';
import { sentenceKey } from '../duplicates/near-duplicate-sentences';

/** What comparing sources needs to know of each. */
export interface SourceFacts {
  title: string;
  quality: SourceQuality;
  publishedAt?: string | undefined;
  nearDuplicateOf?: string | undefined;
}

export type SourcesById = ReadonlyMap<string, SourceFacts>;

/** The id under which a source counts as evidence: that of the source whose text it nearly repeats, else its own. */
export function evidenceRoot(sourceId: string, sources: SourcesById): string {
  const seen = new Set<string>();
  let id = sourceId;
  for (
    let next = sources.get(id)?.nearDuplicateOf;
    next !== undefined && !seen.has(next);
    next = sources.get(id)?.nearDuplicateOf
  ) {
    seen.add(id);
    id = next;
  }
  return id;
}

/** Sources that nearly repeat each other count once, and so does a sentence that several documents share word for word. */
export function countDistinctEvidence(evidence: readonly Evidence[], sources: SourcesById): number {
  const roots = new Set<string>();
  const sentences = new Set<string>();
  return evidence.filter((item) => {
    const root = evidenceRoot(item.sourceId, sources);
    const sentence = sentenceKey(item.quote);
    const known = roots.has(root) || sentences.has(sentence);
    roots.add(root);
    sentences.add(sentence);
    return !known;
  }).length;
}
