import { z } from 'zod';
import { countOf, meanOf, shareOf, sumOf } from '../figures';
import * as product from '../product';
import { bestFirst, bm25Over, crossValidated, openEncoder } from '../ranking';
import { readRecords, UsageError } from '../records';
import { present } from '../seeded-draw';
import { measured, type Suite } from '../suite';

const Record = z.object({
  id: z.string(),
  question: z.string(),
  answerable: z.boolean(),
  sentences: z.array(z.string()),
  titles: z.array(z.string()),
  grades: z.array(z.number()),
});
type Record = z.infer<typeof Record>;
type Meaning = Parameters<typeof product.answerableProbability>[2];
type Ranked = Awaited<ReturnType<typeof product.rankByMeaning>>;

const MOST_TOLD = 10;
/** What answers, and what bears on the answer; below it is talk about the topic, or off it. */
const ANSWERS = 3;
const BEARS = 2;
const GAIN_TO = 8;
const FIRST = 5;

/** Open questions with graded sentences: whether answers stand before talk about the topic, and whether it is seen that there are none. */
export const open: Suite = {
  usage: 'open FILE.jsonl [--questions N --seed S] [--explain ID]',
  options: ['questions', 'seed', 'explain'],
  measure: (call) =>
    measured(call, {
      items: readRecords(call.file, Record).map((record) => checked(record, call.file)),
      idOf: ({ id }) => id,
      isAlone: true,
      find: poolOf,
      explain({ byReader, probability }, { question, grades, sentences }) {
        const best = byReader.slice(0, MOST_TOLD).map((at) => `  ${grades[at] ?? ''} ${sentences[at] ?? ''}`);
        return [`${question} (answered with a probability of ${probability.toFixed(2)})`, ...best].join('\n');
      },
      figures(pools, records) {
        const rankedBy = (order: 'byReader' | 'byBm25' | 'byCosine'): object =>
          gradedFigures(
            pools.map((pool, at) => (pool[order] ?? []).map((place) => records[at]?.grades[place] ?? 0)),
          );
        const answerableBy = (score: 'probability' | 'bestBm25'): number | null =>
          areaUnderCurve(
            pools.map((pool, at) => ({ score: pool[score], isSo: records[at]?.answerable === true })),
          );
        return {
          n: records.length,
          withAnswer: countOf(records, ({ grades }) => hasAnswer(grades)),
          ...rankedBy('byReader'),
          answerableAuc: answerableBy('probability'),
          ...prefixed('bm25', { ...rankedBy('byBm25'), answerableAuc: answerableBy('bestBm25') }),
          ...(pools.every(({ byCosine }) => byCosine !== null)
            ? prefixed('cosine', rankedBy('byCosine'))
            : {}),
          counts: {
            sentences: sumOf(records, ({ sentences }) => sentences.length),
            answerable: countOf(records, ({ answerable }) => answerable),
          },
        };
      },
    }),
};

function checked(record: Record, file: string): Record {
  const { id, sentences, titles, grades } = record;
  if (titles.length !== sentences.length || grades.length !== sentences.length || sentences.length === 0)
    throw new UsageError(`${file}: "${id}" has not a title and a grade for each of its sentences.`);
  return record;
}

function prefixed(name: string, figures: object): object {
  return Object.fromEntries(
    Object.entries(figures).map(([figure, value]) => [
      `${name}${figure.charAt(0).toUpperCase()}${figure.slice(1)}`,
      value as unknown,
    ]),
  );
}

interface Pool {
  byReader: number[];
  probability: number;
  byBm25: number[];
  bestBm25: number;
  byCosine: number[] | null;
}

/**
 * A pool of sentences, each a source of its own under its title, in the order in which the product's reader ranks them for a
 * question, by plain BM25, and, where the reader compares meanings, by the cosine alone. What the product would not quote, it
 * does not read: that stands last.
 */
async function poolOf({ id, question, sentences, titles }: Record): Promise<Pool> {
  const texts = sentences.map((text, at) => ({ text, title: titles[at] ?? '' }));
  const places = [...sentences.keys()];
  const read = places.filter((at) => product.isQuotable(present(texts[at]).text, present(texts[at]).title));
  const collection = product.indexSources(
    read.map((at) => ({
      id: `${at}`,
      title: present(texts[at]).title,
      sentences: [present(texts[at]).text],
    })),
  );
  const reading = product.readIndexed(product.readQuestion(question), collection);
  // Weights that have not seen this question; undefined, so that the committed ones are taken, where all have not.
  const meaning = crossValidated<NonNullable<Meaning>>('meaning-cross-validation.json').weightsOf(id);
  const ranked = await rankedOf(reading, meaning);
  const byReader = ranked.map(({ sentence }) => present(read[sentence]));
  const bm25 = bm25Over(sentences).of(question);
  return {
    byReader: [...byReader, ...places.filter((at) => !byReader.includes(at))],
    probability: product.answerableProbability(reading, ranked, meaning),
    byBm25: bestFirst(bm25),
    bestBm25: Math.max(...bm25),
    byCosine: byCosine(ranked, read, places),
  };
}

/** By what the sentences mean, where there is an encoder. */
async function rankedOf(reading: ReturnType<typeof product.readIndexed>, meaning: Meaning): Promise<Ranked> {
  const encoder = await openEncoder();
  if (encoder === null) return product.rankSentences(reading, { most: Infinity });
  return product.rankByMeaning(encoder, reading, {
    most: Infinity,
    ...(meaning === undefined ? {} : { meaning }),
  });
}

/** Null where the reader compares no meanings. */
function byCosine(ranked: Ranked, read: readonly number[], places: readonly number[]): number[] | null {
  if (!ranked.some(({ meaning }) => meaning?.cosine !== undefined)) return null;
  const cosines = new Float64Array(places.length).fill(-1);
  for (const { sentence, meaning } of ranked) cosines[present(read[sentence])] = meaning?.cosine ?? -1;
  return bestFirst(cosines);
}

/** Whether some sentence of a question answers it. */
function hasAnswer(grades: readonly number[]): boolean {
  return Math.max(...grades) >= ANSWERS;
}

/**
 * Of rankings, each the grades of a question's sentences in their order: how near to the best order their beginning is, and what
 * stands there. Only over questions that some sentence answers: where none does, no order is better than another.
 */
function gradedFigures(rankings: readonly (readonly number[])[]): object {
  const answered = rankings.filter(hasAnswer);
  const amongFirst = (isMeant: (grade: number) => boolean): number | null =>
    meanOf(
      answered.map((grades) => {
        const first = grades.slice(0, FIRST);
        return countOf(first, isMeant) / first.length;
      }),
    );
  return {
    ndcgAt8: meanOf(answered.map((grades) => gainOf(grades) / gainOf([...grades].sort((a, b) => b - a)))),
    goodAt5: amongFirst((grade) => grade >= BEARS),
    answerFirst: shareOf(answered, ([first = 0]) => first >= ANSWERS),
    talkAt5: amongFirst((grade) => grade < BEARS),
  };
}

/** Discounted cumulative gain: a grade is worth 2^grade − 1, and the less the later it stands. */
function gainOf(grades: readonly number[]): number {
  return grades.slice(0, GAIN_TO).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
}

/**
 * The area under the curve of a score that is to tell those that are so from the others: the share of pairs in which the one that
 * is so has the larger score, half of those in which both have the same. Null where all are alike.
 */
export function areaUnderCurve(scored: readonly { score: number; isSo: boolean }[]): number | null {
  const scores = (isSo: boolean): number[] =>
    scored.filter((one) => one.isSo === isSo).map(({ score }) => score);
  const others = scores(false);
  const wins = scores(true).flatMap((score) =>
    others.map((other) => (score > other ? 1 : score === other ? 1 / 2 : 0)),
  );
  return meanOf(wins);
}
