import { join } from 'node:path';
import { readRecords } from './read-records.mjs';

const OWN = { id: 'text', question: 'text', relevant: 'list' };
const ASKED = { id: 'text', question: 'text', answerable: 'boolean' };

/**
 * The questions that are put to a collection: its own, of which all relevant sources are known, or those of another file, which
 * says whether there is an answer and may name, as `by`, some source that gives it. `relevant` is null where none is known.
 */
export function askedQuestions(folder, asked) {
  if (asked === undefined)
    return readRecords(join(folder, 'questions.jsonl'), OWN).map((record) => ({
      ...record,
      answerable: record.relevant.length > 0,
    }));
  return readRecords(asked, ASKED).map(({ by, ...record }) => ({
    ...record,
    relevant: record.answerable ? (by ?? null) : [],
  }));
}
