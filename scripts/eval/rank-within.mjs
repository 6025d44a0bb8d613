import { bm25Over } from './bm25.mjs';
import { built } from './built.mjs';

/**
 * All sentences of one source in the order in which the product's reader ranks them for a question, and by plain BM25; places
 * in the source. Ties stay in the order of the text.
 */
export function rankWithin(question, source, weights) {
  const { indexSources } = built('reading/collection/collection.js');
  const { readIndexed } = built('reading/features/read-features.js');
  const { columnsOf, featuresOf } = built('reading/features/features.js');
  const { scoreOf, READER_WEIGHTS } = built('reading/features/score.js');

  const collection = indexSources([source]);
  const reading = readIndexed(question, collection);
  const columns = columnsOf(question, reading.weights);
  const rows = source.sentences.map((_text, sentence) => featuresOf(reading, columns, sentence));
  const used = weights ?? READER_WEIGHTS;
  const scores = rows.map((row) => scoreOf(row, question, { within: 'source', weights: used }));
  return {
    ranked: bestFirst(scores),
    byBm25: bestFirst(bm25Over(source.sentences).of(question.text)),
    rows,
    weights: question.asksForEffect ? used.effect : used.general,
  };
}

/** The places of values, the largest first. */
export function bestFirst(values) {
  return Array.from(values.keys()).sort((a, b) => values[b] - values[a] || a - b);
}
