import type { Evidence } from '../../contracts/report/finding';
import type { SourceQuality, Work } from '../../contracts/source/source';
import { splitSentences } from '../../language/sentences';
import { sentenceKey } from '../duplicates/near-duplicate-sentences';

export interface SourceFacts {
  title: string;
  quality: SourceQuality;
  publishedAt?: string | undefined;
  nearDuplicateOf?: string | undefined;
  work?: Work | undefined;
}

export type SourcesById = ReadonlyMap<string, SourceFacts>;

/** The id under which a source counts as evidence: that of its work, or of the work whose text it nearly repeats, else its own. */
export function evidenceRoot(sourceId: string, sources: SourcesById): string {
  const id = originalOf(sourceId, sources);
  return sources.get(id)?.work?.id ?? id;
}

/**
 * The source whose text this one nearly repeats, else itself. Parts of one work may contradict each other, as they report
 * different studies; copies do not.
 */
export function originalOf(sourceId: string, sources: SourcesById): string {
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

/** Fewer words than these may stand in two texts that have nothing to do with each other. */
const LEAST_WORDS = 6;

/**
 * What is evidence of its own: of sources that nearly repeat each other, or are parts of one work, one, and of documents in which a sentence stands word
 * for word, whatever stands around it, the first.
 */
export function distinctEvidence(evidence: readonly Evidence[], sources: SourcesById): Evidence[] {
  const roots = new Set<string>();
  const wordings: Wording[] = [];
  return evidence.filter((item) => {
    const root = evidenceRoot(item.sourceId, sources);
    const wording = wordingOf(item.quote);
    const known = roots.has(root) || wordings.some((other) => isShared(wording, other));
    roots.add(root);
    wordings.push(wording);
    return !known;
  });
}

export function countDistinctEvidence(evidence: readonly Evidence[], sources: SourcesById): number {
  return distinctEvidence(evidence, sources).length;
}

interface Wording {
  whole: string;
  sentences: string[];
}

function wordingOf(quote: string): Wording {
  const sentences = splitSentences(quote).map(({ text }) => sentenceKey(text));
  return {
    whole: sentenceKey(quote),
    sentences: sentences.filter((key) => key.split(' ').length >= LEAST_WORDS),
  };
}

function isShared(one: Wording, other: Wording): boolean {
  return (
    one.whole === other.whole || isHeld(one.sentences, other.whole) || isHeld(other.sentences, one.whole)
  );
}

function isHeld(sentences: readonly string[], text: string): boolean {
  return sentences.some((sentence) => ` ${text} `.includes(` ${sentence} `));
}
