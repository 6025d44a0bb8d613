import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { splitPassages } from '../../src/language/passages';
import { type SourceSentence, sentencesOf } from '../../src/core/worth/source-sentences';

export interface SourceRecord {
  id: string;
  url: string;
  title: string;
  author: string;
  publishedAt: string;
  content: string;
}

/** A study of the collection with its sentences. */
export interface Study extends SourceRecord {
  sentences: readonly SourceSentence[];
}

/** Every second study: rules were made with the even ones before them, and are measured on the odd ones. */
export function studiesOf(half: 'even' | 'odd'): Study[] {
  const file = join(
    process.env.COLLIGATE_DATA ?? join(__dirname, '../../../shared/data'),
    'studies/sources.jsonl',
  );
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line, index) => line !== '' && index % 2 === (half === 'even' ? 0 : 1))
    .map((line) => {
      const record = JSON.parse(line) as SourceRecord;
      return { ...record, sentences: splitPassages(record.content).flatMap(sentencesOf) };
    });
}
