import { z } from 'zod';
import { splitPassages } from '../../src/language/passages';
import { splitSentences } from '../../src/language/sentences';
import { isInAbstract, type Zone, zoneOf } from '../../src/language/zones';
import { sharedRecords } from '../support/shared-data';

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
