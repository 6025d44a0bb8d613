import { built } from './built.mjs';
import { openEncoder } from './encoder.mjs';
import { draw } from './draw.mjs';
import { explained } from './explain.mjs';
import { rankWithin } from './rank-within.mjs';
import { readRecords } from './read-records.mjs';
import { meanOf } from './shares.mjs';
import { UsageError } from './usage-error.mjs';

const RECORD = { id: 'text', question: 'text', sentences: 'list', labels: 'list' };

/** How near the top of a question's sentences the reader puts those that answer it. */
export async function relevanceSuite({ file, questions: most, seed, explain, say }) {
  const { readQuestion } = built('reading/question/question.js');
  const all = readRecords(file, RECORD).filter(({ labels }) => labels.some(Boolean));
  const wanted = explain === undefined ? draw(all, most, seed) : all.filter(({ id }) => id === explain);
  if (wanted.length === 0) throw new UsageError(`${file} has no question "${explain}" with an answer.`);
  const measured = [];
  for (const { id, question, sentences, labels } of wanted) {
    const source = { id, title: '', sentences };
    const asked = readQuestion(question);
    const read = rankWithin(asked, source);
    const ranked = await rankedByMeaning(asked, source);
    const isRight = (sentence) => Boolean(labels[sentence]);
    if (explain !== undefined)
      say(`${question}\n${explained(ranked ?? read.ranked, { ...read, texts: sentences, isRight })}`);
    measured.push({
      hasBothLabels: labels.some((label) => !label),
      reader: measuresOf((ranked ?? read.ranked).map(isRight)),
      bm25: measuresOf(read.byBm25.map(isRight)),
    });
  }
  const both = measured.filter(({ hasBothLabels }) => hasBothLabels);
  return {
    ...means(measured.map(({ reader }) => reader)),
    bothLabels: means(both.map(({ reader }) => reader)),
    baseline: {
      ...means(measured.map(({ bm25 }) => bm25)),
      bothLabels: means(both.map(({ bm25 }) => bm25)),
    },
  };
}

/** As the product ranks what it reads by its meaning, those that it does not read so last; null without an encoder. */
async function rankedByMeaning(question, source) {
  const encoder = await openEncoder();
  if (encoder === null) return null;
  const { indexSources } = built('reading/collection/collection.js');
  const { readIndexed } = built('reading/features/read-features.js');
  const { rankByMeaning } = built('reading/rank-by-meaning.js');
  const reading = readIndexed(question, indexSources([source]));
  const ranked = await rankByMeaning(encoder, reading, { most: Infinity, within: 'source' });
  return ranked.map(({ sentence }) => sentence);
}

/** Of sentences in their ranking, each right or not: average precision, reciprocal rank, whether the first is right. */
function measuresOf(ranking) {
  let found = 0;
  let precisions = 0;
  ranking.forEach((isRight, at) => {
    if (!isRight) return;
    found += 1;
    precisions += found / (at + 1);
  });
  return {
    average: precisions / found,
    reciprocal: 1 / (ranking.indexOf(true) + 1),
    first: Number(ranking[0]),
  };
}

function means(measures) {
  return {
    n: measures.length,
    map: meanOf(measures.map(({ average }) => average)),
    mrr: meanOf(measures.map(({ reciprocal }) => reciprocal)),
    precisionAt1: meanOf(measures.map(({ first }) => first)),
  };
}
