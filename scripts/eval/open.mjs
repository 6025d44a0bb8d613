import { draw } from './draw.mjs';
import { areaUnderCurve, gradedFigures, hasAnswer } from './graded/graded-figures.mjs';
import { readPool } from './graded/read-pool.mjs';
import { readRecords } from './read-records.mjs';
import { UsageError } from './usage-error.mjs';

const RECORD = {
  id: 'text',
  question: 'text',
  answerable: 'boolean',
  sentences: 'list',
  titles: 'list',
  grades: 'list',
};
const MOST_TOLD = 10;

/** Open questions with graded sentences: whether answers stand before talk about the topic, and whether it is seen that there are none. */
export async function openSuite({ file, questions: most, seed, explain, say }) {
  const all = readRecords(file, RECORD).map((record) => checked(record, file));
  const records = explain === undefined ? draw(all, most, seed) : all.filter(({ id }) => id === explain);
  if (records.length === 0) throw new UsageError(`${file} has no question "${explain}".`);
  const pools = [];
  for (const record of records) {
    const pool = await readPool(record);
    if (explain !== undefined) say(told(record, pool));
    pools.push({ ...pool, ...record });
  }
  const rankedBy = (order) => gradedFigures(pools.map((pool) => pool[order].map((at) => pool.grades[at])));
  const answerableBy = (score) =>
    areaUnderCurve(pools.map((pool) => ({ score: pool[score], isSo: pool.answerable })));
  return {
    n: records.length,
    withAnswer: records.filter(({ grades }) => hasAnswer(grades)).length,
    ...rankedBy('byReader'),
    answerableAuc: answerableBy('probability'),
    ...prefixed('bm25', { ...rankedBy('byBm25'), answerableAuc: answerableBy('bestBm25') }),
    ...(pools.every(({ byCosine }) => byCosine !== null) ? prefixed('cosine', rankedBy('byCosine')) : {}),
    counts: {
      sentences: pools.reduce((sum, { sentences }) => sum + sentences.length, 0),
      answerable: records.filter(({ answerable }) => answerable).length,
    },
  };
}

function checked(record, file) {
  const { id, sentences, titles, grades } = record;
  if (titles.length !== sentences.length || grades.length !== sentences.length || sentences.length === 0)
    throw new UsageError(`${file}: "${id}" has not a title and a grade for each of its sentences.`);
  return record;
}

function prefixed(name, figures) {
  return Object.fromEntries(
    Object.entries(figures).map(([figure, value]) => [
      `${name}${figure[0].toUpperCase()}${figure.slice(1)}`,
      value,
    ]),
  );
}

function told({ question, sentences, grades }, { byReader, probability }) {
  const best = byReader.slice(0, MOST_TOLD).map((at) => `  ${grades[at]} ${sentences[at]}`);
  return [`${question} (answered with a probability of ${probability.toFixed(2)})`, ...best].join('\n');
}
