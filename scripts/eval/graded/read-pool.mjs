import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../checkout.mjs';
import { bm25Over } from '../bm25.mjs';
import { built } from '../built.mjs';
import { openEncoder } from '../encoder.mjs';
import { bestFirst } from '../rank-within.mjs';

/**
 * A pool of sentences, each a source of its own under its title, in the order in which the product's reader ranks them for a
 * question, by plain BM25, and, where the reader compares meanings, by the cosine alone. What the product would not quote, it
 * does not read: that stands last.
 */
export async function readPool({ id, question, sentences, titles }) {
  const { indexSources } = built('reading/collection/collection.js');
  const { readQuestion } = built('reading/question/question.js');
  const { readIndexed } = built('reading/features/read-features.js');
  const { answerableProbability } = built('reading/collection/answerable.js');
  const { isQuotable } = built('reading/quotable.js');

  const places = [...sentences.keys()];
  const read = places.filter((at) => isQuotable(sentences[at], titles[at]));
  const collection = indexSources(
    read.map((at) => ({ id: `${at}`, title: titles[at], sentences: [sentences[at]] })),
  );
  const reading = readIndexed(readQuestion(question), collection);
  const meaning = weightsUnseen(id);
  const ranked = await rankedOf(reading, meaning);
  const byReader = ranked.map(({ sentence }) => read[sentence]);
  const bm25 = bm25Over(sentences).of(question);
  return {
    byReader: [...byReader, ...places.filter((at) => !byReader.includes(at))],
    probability: answerableProbability(reading, ranked, meaning),
    byBm25: bestFirst(bm25),
    bestBm25: Math.max(...bm25),
    byCosine: byCosine(ranked, read, places),
  };
}

/** The weights of meaning that have not seen this question; undefined, so that the committed ones are taken, where all have not. */
function weightsUnseen(id) {
  const { folds, weights } = JSON.parse(
    readFileSync(join(root, 'training/meaning-cross-validation.json'), 'utf8'),
  );
  return Object.hasOwn(folds, id) ? weights[folds[id]] : undefined;
}

/** By what the sentences mean, where there is an encoder. */
async function rankedOf(reading, meaning) {
  const encoder = await openEncoder();
  if (encoder !== null)
    return built('reading/rank-by-meaning.js').rankByMeaning(encoder, reading, { most: Infinity, meaning });
  return built('reading/rank-sentences.js').rankSentences(reading, { most: Infinity });
}

/** Null where the reader compares no meanings. */
function byCosine(ranked, read, places) {
  if (!ranked.some(({ meaning }) => meaning?.cosine !== undefined)) return null;
  const cosines = new Float64Array(places.length).fill(-1);
  for (const { sentence, meaning } of ranked) cosines[read[sentence]] = meaning?.cosine ?? -1;
  return bestFirst(cosines);
}
