import { z } from 'zod';
import { explained } from '../explain';
import { meanOf } from '../figures';
import * as product from '../product';
import { openEncoder, rankWithin, type Source } from '../ranking';
import { readRecords } from '../records';
import { measured, type Suite } from '../suite';

const Record = z.object({
  id: z.string(),
  question: z.string(),
  sentences: z.array(z.string()),
  labels: z.array(z.union([z.number(), z.boolean()])),
});

/** How near the top of a question's sentences the reader puts those that answer it. */
export const relevance: Suite = {
  usage: 'relevance FILE.jsonl [--questions N --seed S] [--explain ID]',
  options: ['questions', 'seed', 'explain'],
  measure: (call) =>
    measured(call, {
      items: readRecords(call.file, Record).filter(({ labels }) => labels.some(Boolean)),
      idOf: ({ id }) => id,
      isAlone: true,
      withWhat: ' with an answer',
      async find({ id, question, sentences, labels }) {
        const source = { id, title: '', sentences };
        const asked = product.readQuestion(question);
        const read = rankWithin(asked, source);
        const ranked = (await rankedByMeaning(asked, source)) ?? read.ranked;
        const isRight = (sentence: number): boolean => Boolean(labels[sentence]);
        return {
          hasBothLabels: labels.some((label) => !label),
          reader: measuresOf(ranked.map(isRight)),
          bm25: measuresOf(read.byBm25.map(isRight)),
          explanation: () => `${question}\n${explained(ranked, read, sentences, isRight)}`,
        };
      },
      explain: ({ explanation }) => explanation(),
      figures(found) {
        const both = found.filter(({ hasBothLabels }) => hasBothLabels);
        return {
          ...means(found.map(({ reader }) => reader)),
          bothLabels: means(both.map(({ reader }) => reader)),
          baseline: {
            ...means(found.map(({ bm25 }) => bm25)),
            bothLabels: means(both.map(({ bm25 }) => bm25)),
          },
        };
      },
    }),
};

/** As the product ranks what it reads by its meaning, those that it does not read so last; null without an encoder. */
async function rankedByMeaning(
  question: ReturnType<typeof product.readQuestion>,
  source: Source,
): Promise<number[] | null> {
  const encoder = await openEncoder();
  if (encoder === null) return null;
  const reading = product.readIndexed(question, product.indexSources([source]));
  const ranked = await product.rankByMeaning(encoder, reading, { most: Infinity, within: 'source' });
  return ranked.map(({ sentence }) => sentence);
}

interface Measures {
  average: number;
  reciprocal: number;
  first: number;
}

/** Of sentences in their ranking, each right or not: average precision, reciprocal rank, whether the first is right. */
function measuresOf(ranking: readonly boolean[]): Measures {
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

function means(measures: readonly Measures[]): object {
  return {
    n: measures.length,
    map: meanOf(measures.map(({ average }) => average)),
    mrr: meanOf(measures.map(({ reciprocal }) => reciprocal)),
    precisionAt1: meanOf(measures.map(({ first }) => first)),
  };
}
