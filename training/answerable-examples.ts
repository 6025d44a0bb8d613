// Writes what tells an answerable question from one that is not, one question a line: `{ group, answerable, features }`. The
// pages of WiCE are two collections; a claim of a page, whole, in part or with a stretch of it asked for, is put to both: the
// one has its page, the other has not. `npx tsx training/answerable-examples.ts DATA OUT`.
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answerCandidates, type AnswerKind } from '../src/language/answer-candidates';
import { ANSWERABLE_FEATURES, answerableFeatures } from '../src/reading/collection/answerable';
import { indexSources } from '../src/reading/collection/collection';
import { readQuestion, type Question } from '../src/reading/question/question';
import { rankSentences } from '../src/reading/rank-sentences';
import { readIndexed } from '../src/reading/features/read-features';
import { pageOf, readRecords, type WiceRecord } from './wice';

/** Pages are read up to here, so that no page is most of a collection. */
const MOST_SENTENCES = 60;
const SHORTEST_PART = 5;
const KINDS: readonly AnswerKind[] = ['date', 'number', 'name'];

const [data = '../shared/data', target = 'answerable-examples.jsonl'] = process.argv.slice(2);
const out = createWriteStream(target);

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
out.write(`${JSON.stringify({ features: ANSWERABLE_FEATURES })}\n`);
for (const [own, half] of halves.entries()) {
  for (const { id, claim, label } of half) {
    if (label === 'not_supported') continue;
    for (const question of questionsOn(claim)) {
      for (const [at, collection] of collections.entries()) {
        const reading = readIndexed(question, collection);
        const features = answerableFeatures(reading, rankSentences(reading));
        const values = ANSWERABLE_FEATURES.map((feature) => Math.round(features[feature] * 1e5) / 1e5);
        out.write(`${JSON.stringify({ group: id, answerable: Number(at === own), features: values })}\n`);
      }
    }
  }
}
out.end();
