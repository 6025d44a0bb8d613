// Writes what reading by meaning is learned from, features as the product computes them: graded sentences as `{ of: "sentence",
// group, grade, features, told }`; whether a collection answers as `{ of: "answerable", group, answerable, features, whether }`, for the graded
// questions, each with its sentences as a collection, and for the pages of WiCE. `npx tsx training/meaning-examples.ts DATA OUT`.
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openOnnxEncoder } from '../src/encoder/onnx-encoder';
import { createRememberingEncoder } from '../src/encoder/remembering-encoder';
import { meantFeatures, whetherFeatures } from '../src/reading/collection/answerable';
import { indexSources } from '../src/reading/collection/collection';
import { readIndexed } from '../src/reading/features/read-features';
import type { Reading } from '../src/reading/features/features';
import {
  MEANING_FEATURES,
  MEANING_WEIGHTS,
  meaningFeatures,
  type MeaningWeights,
  MEANT_FEATURES,
  TOLD_FEATURES,
  toldFeatures,
  WHETHER_FEATURES,
} from '../src/reading/features/meaning';
import { readQuestion } from '../src/reading/question/question';
import { rankByMeaning } from '../src/reading/rank-by-meaning';
import { putQuestions } from './put-questions';
import { readRecords } from './wice';

interface GradedQuestion {
  id: string;
  question: string;
  answerable: boolean;
  sentences: string[];
  titles: string[];
  /** 3 answers, 2 bears on the answer, 1 is on the topic only, 0 off it. */
  grades: number[];
}

/** The best sentences are the nearest, so that what is learned does not depend on what was learned before. */
const BY_NEARNESS: MeaningWeights = {
  ...MEANING_WEIGHTS,
  sentence: { intercept: 0, weights: { titledMean: 7, result: 0 } },
};
/** The pages of WiCE are read for many questions. */
const REMEMBERED = 40_000;

const [data = '../shared/data', target = 'meaning-examples.jsonl'] = process.argv.slice(2);
const out = createWriteStream(target);
const write = (line: object): boolean => out.write(`${JSON.stringify(line)}\n`);

async function main(): Promise<void> {
  const encoder = createRememberingEncoder(await openOnnxEncoder(), REMEMBERED);
  const writeAnswerable = async (
    { of, group }: { of: 'graded' | 'pages'; group: string },
    reading: Reading,
    answerable: boolean,
  ): Promise<void> => {
    const ranked = await rankByMeaning(encoder, reading, { meaning: BY_NEARNESS });
    const [meant, whether] = [meantFeatures(reading, ranked), whetherFeatures(reading, ranked)];
    write({
      of: 'answerable',
      from: of,
      group,
      answerable: Number(answerable),
      asksWhether: reading.question.asksWhether,
      features: MEANT_FEATURES.map((name) => meant[name]),
      whether: WHETHER_FEATURES.map((name) => whether[name]),
    });
  };
  write({
    sentence: MEANING_FEATURES,
    answerable: MEANT_FEATURES,
    told: TOLD_FEATURES,
    whether: WHETHER_FEATURES,
  });
  const graded = readRecords<GradedQuestion>(readFileSync(join(data, 'relevance', 'open-dev.jsonl'), 'utf8'));
  for (const { id, question, answerable, sentences, titles, grades } of graded) {
    const sources = sentences.map((text, at) => ({
      id: `${at}`,
      title: titles[at] ?? '',
      sentences: [text],
    }));
    const reading = readIndexed(readQuestion(question), indexSources(sources));
    for (const { sentence, meaning } of await rankByMeaning(encoder, reading)) {
      if (meaning === undefined) continue;
      const features = meaningFeatures(meaning, sentences[sentence] ?? '');
      const values = MEANING_FEATURES.map((name) => features[name]);
      const asTold = toldFeatures(meaning, sentences[sentence] ?? '');
      const told = TOLD_FEATURES.map((name) => asTold[name]);
      write({ of: 'sentence', group: id, grade: grades[sentence], features: values, told });
    }
    await writeAnswerable({ of: 'graded', group: id }, reading, answerable);
  }
  for (const { group, question, collection, answerable } of putQuestions(data))
    await writeAnswerable({ of: 'pages', group }, readIndexed(question, collection), answerable);
  out.end();
}

void main();
