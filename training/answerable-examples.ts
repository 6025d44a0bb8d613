// Writes what tells an answerable question from one that is not, by words, one question a line: `{ group, answerable, features }`.
// `npx tsx training/answerable-examples.ts DATA OUT`.
import { createWriteStream } from 'node:fs';
import { ANSWERABLE_FEATURES, answerableFeatures } from '../src/reading/collection/answerable';
import { rankSentences } from '../src/reading/rank-sentences';
import { readIndexed } from '../src/reading/features/read-features';
import { putQuestions } from './put-questions';

const [data = '../shared/data', target = 'answerable-examples.jsonl'] = process.argv.slice(2);
const out = createWriteStream(target);

out.write(`${JSON.stringify({ features: ANSWERABLE_FEATURES })}\n`);
for (const { group, question, collection, answerable } of putQuestions(data)) {
  const reading = readIndexed(question, collection);
  const features = answerableFeatures(reading, rankSentences(reading));
  const values = ANSWERABLE_FEATURES.map((feature) => Math.round(features[feature] * 1e5) / 1e5);
  out.write(`${JSON.stringify({ group, answerable: Number(answerable), features: values })}\n`);
}
out.end();
