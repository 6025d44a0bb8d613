import { z } from 'zod';
import { splitPassages } from '../../../src/language/passages';
import { splitSentences } from '../../../src/language/sentences';
import { sharedRecords } from '../../support/shared-data';

export const STUDIES = 'studies/sources.jsonl';

const SourceRecord = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  author: z.string(),
  publishedAt: z.string(),
  content: z.string(),
});
export type SourceRecord = z.infer<typeof SourceRecord>;

/** The part of an article that a sentence stands in, by the headings above it. */
type Zone = 'results' | 'conclusions' | 'methods' | 'background' | 'unknown';

const ZONES: readonly (readonly [Zone, RegExp])[] = [
  ['results', /result|finding/i],
  ['conclusions', /conclu/i],
  ['methods', /method|design/i],
  ['background', /background|introduction|objective|aim/i],
];

function zoneOf(headings: readonly string[]): Zone {
  const all = headings.join(' ');
  return ZONES.find(([, name]) => name.test(all))?.[0] ?? 'unknown';
}

function isInAbstract(headings: readonly string[]): boolean {
  return headings.some((heading) => /^abstract\b/i.test(heading));
}

/** A study of the collection with its sentences. */
export interface Study extends SourceRecord {
  sentences: readonly { text: string; zone: Zone; inAbstract: boolean }[];
}

/** Every second study: the mechanism was made with the even ones before it, and is measured on the odd ones. */
export function studiesOf(half: 'even' | 'odd'): Study[] {
  return sharedRecords(STUDIES, SourceRecord)
    .filter((_record, index) => index % 2 === (half === 'even' ? 0 : 1))
    .map((record) => ({
      ...record,
      sentences: splitPassages(record.content).flatMap(({ text, headings }) =>
        splitSentences(text).map((sentence) => ({
          text: sentence.text,
          zone: zoneOf(headings),
          inAbstract: isInAbstract(headings),
        })),
      ),
    }));
}
