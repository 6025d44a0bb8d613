// What tells an answerable question from one that is not: the pages of WiCE as two collections; a claim of a page, whole, in part or
// with a stretch of it asked for, is put to both: the one has its page, the other has not.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerCandidates, type AnswerKind } from '../src/language/answer-candidates';
import { type Collection, indexSources } from '../src/reading/collection/collection';
import { readQuestion, type Question } from '../src/reading/question/question';
import { pageOf, readRecords, type WiceRecord } from './wice';

/** Pages are read up to here, so that no page is most of a collection. */
const MOST_SENTENCES = 60;
const SHORTEST_PART = 5;
const KINDS: readonly AnswerKind[] = ['date', 'number', 'name'];

/** A question put to a collection. */
export interface PutQuestion {
  group: string;
  question: Question;
  collection: Collection;
  answerable: boolean;
}

function questionsOn(claim: string): Question[] {
  const parts = claim.split(/[,;]/).filter((part) => part.split(' ').length >= SHORTEST_PART);
  const clozes = KINDS.flatMap((kind): Question[] => {
    const asked = answerCandidates(claim, kind).find(({ start }) => start > 0);
    if (asked === undefined) return [];
    const rest = `${claim.slice(0, asked.start)} , ${claim.slice(asked.start + asked.text.length)}`;
    return [{ ...readQuestion(rest), kind }];
  });
  return [readQuestion(claim), ...clozes, ...parts.slice(0, parts.length > 1 ? 1 : 0).map(readQuestion)];
}

export function putQuestions(data: string): PutQuestion[] {
  const pages = new Map(
    readRecords<WiceRecord>(readFileSync(join(data, 'attribution', 'wice-dev.jsonl'), 'utf8')).map(
      (record) => [record.evidence.join('\n'), record] as const,
    ),
  );
  const records = [...pages.values()].filter(({ evidence }) => evidence.length > 0);
  const halves = [0, 1].map((half) => records.filter((_record, at) => at % 2 === half));
  const collections = halves.map((half) =>
    indexSources(
      half.map((record) => {
        const page = pageOf(record);
        return { ...page, sentences: page.sentences.slice(0, MOST_SENTENCES) };
      }),
    ),
  );
  return halves.flatMap((half, own) =>
    half
      .filter(({ label }) => label !== 'not_supported')
      .flatMap(({ id, claim }) =>
        questionsOn(claim).flatMap((question) =>
          collections.map((collection, at) => ({
            group: id,
            question,
            collection,
            answerable: at === own,
          })),
        ),
      ),
  );
}
