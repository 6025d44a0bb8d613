import type { ReadableSource } from '../src/text/collection';

export interface WiceRecord {
  id: string;
  claim: string;
  evidence: string[];
  label: string;
  supporting_sentences: number[][];
}

const META_TITLE = '(meta data) TITLE:';

/** The page that a claim cites; its first line may give its title. */
export function pageOf({ id, evidence }: WiceRecord): ReadableSource {
  const first = evidence[0] ?? '';
  return {
    id,
    title: first.startsWith(META_TITLE) ? first.slice(META_TITLE.length) : '',
    sentences: evidence,
  };
}

/** The records of a text with one JSON value a line. */
export function readRecords<Record>(text: string): Record[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => JSON.parse(line) as Record);
}

/** A question of the studies as one plain sentence, made of its three parts in every record the same way. */
export function plainQuestion({ intervention, comparator, outcome }: StudyQuestion): string {
  return `Does ${intervention.trim()}, compared with ${comparator.trim()}, change ${outcome.trim()}?`;
}

export interface StudyQuestion {
  source_id: string;
  intervention: string;
  comparator: string;
  outcome: string;
  evidence: { start: number; end: number; text: string }[];
}
