import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checkout.mjs';
import * as product from './product';
import { present } from './seeded-draw';

// How sentences are ranked: by the product's reader, by what they mean, and by the plain baseline.

type Question = ReturnType<typeof product.readQuestion>;
type Encoder = Awaited<ReturnType<typeof product.openOnnxEncoder>>;
export type Source = Parameters<typeof product.indexSources>[0][number];

/** By the product's own setting: with `off` everything is measured by words alone. */
export const ENCODER = process.env['COLLIGATE_READER_ENCODER'] === 'off' ? 'off' : 'on';

let opened: Promise<Encoder | null> | undefined;

/** The product's encoder, opened when it is asked for first; null by words alone, which is said where it was not asked for. */
export function openEncoder(): Promise<Encoder | null> {
  opened ??= ENCODER === 'off' ? Promise.resolve(null) : rememberingOrNull();
  return opened;
}

async function rememberingOrNull(): Promise<Encoder | null> {
  try {
    return product.createRememberingEncoder(await product.openOnnxEncoder());
  } catch (error) {
    const reason = (error as Error).message;
    process.stderr.write(`The encoder does not run here (${reason}): measured by words alone.\n`);
    return null;
  }
}

/** What the engine that asks no model makes of a step's input, as a worker's thread carries it out. */
export async function extractiveStep(name: string, input: unknown): Promise<unknown> {
  return product.runExtractiveStep(name, input, await openEncoder());
}

const K1 = 1.2;
const B = 0.75;

/**
 * The plain baseline: BM25 over stems without function words, with nothing learned and nothing tuned. `of(query)` gives the
 * score of each text.
 */
export function bm25Over(texts: readonly string[]): { of: (query: string) => Float64Array } {
  const lengths: number[] = [];
  const postings = new Map<string, { at: number; count: number }[]>();
  texts.forEach((text, at) => {
    const counts = new Map<string, number>();
    const stems = product.terms(text);
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    lengths.push(stems.length);
    for (const [stem, count] of counts) {
      const held = postings.get(stem);
      if (held === undefined) postings.set(stem, [{ at, count }]);
      else held.push({ at, count });
    }
  });
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length));
  return {
    of(query) {
      const scores = new Float64Array(texts.length);
      for (const stem of new Set(product.terms(query))) {
        const holders = postings.get(stem) ?? [];
        const rarity = Math.log(1 + (texts.length - holders.length + 0.5) / (holders.length + 0.5));
        for (const { at, count } of holders) {
          const norm = K1 * (1 - B + (B * (lengths[at] ?? 0)) / average);
          scores[at] = (scores[at] ?? 0) + (rarity * count * (K1 + 1)) / (count + norm);
        }
      }
      return scores;
    },
  };
}

/** The places of values, the largest first. */
export function bestFirst(values: ArrayLike<number>): number[] {
  return Array.from(values, (_value, at) => at).sort((a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b);
}

export interface FoundSentence {
  source: string;
  text: string;
}

/** The sentences of sources by plain BM25, the best first, without those that share no word with the question. */
export function sentencesByBm25(
  sources: readonly { id: string; content: string }[],
): (question: string) => FoundSentence[] {
  const sentences = sources.flatMap(({ id, content }) =>
    product.sentencesOfSource(content).map(({ text }) => ({ source: id, text })),
  );
  const index = bm25Over(sentences.map(({ text }) => text));
  return (question) => {
    const scores = index.of(question);
    return bestFirst(scores)
      .filter((at) => scores[at] !== 0)
      .map((at) => present(sentences[at]));
  };
}

/** Of ranked sentences as many as an answer of so many tokens has room for, one at least: it answers whatever is asked. */
export function withinTokens(sentences: readonly FoundSentence[], tokens: number): FoundSentence[] {
  let left = tokens;
  const beyond = sentences.findIndex(({ text }, at) => {
    left -= product.estimateTokens(text.length);
    return left < 0 && at > 0;
  });
  return beyond < 0 ? [...sentences] : sentences.slice(0, beyond);
}

/** One source's sentences in their ranking, and what their ranking is made of. */
export interface RankedWithin {
  ranked: number[];
  byBm25: number[];
  rows: ReturnType<typeof product.featuresOf>[];
  weights: typeof product.READER_WEIGHTS.effect;
}

/**
 * All sentences of one source in the order in which the product's reader ranks them for a question, and by plain BM25; places
 * in the source. Ties stay in the order of the text.
 */
export function rankWithin(
  question: Question,
  source: Source,
  weights = product.READER_WEIGHTS,
): RankedWithin {
  const reading = product.readIndexed(question, product.indexSources([source]));
  const columns = product.columnsOf(question, reading.weights);
  const rows = source.sentences.map((_text, sentence) => product.featuresOf(reading, columns, sentence));
  const scores = rows.map((row) => product.scoreOf(row, question, { within: 'source', weights }));
  return {
    ranked: bestFirst(scores),
    byBm25: bestFirst(bm25Over(source.sentences).of(question.text)),
    rows,
    weights: question.asksForEffect ? weights.effect : weights.general,
  };
}

/** The weights of a file of training/ by what they were not learned from: those of the fold of an id, where it has one. */
export function crossValidated<Weights>(name: string): {
  isLearnedFrom: (id: string) => boolean;
  weightsOf: (id: string) => Weights | undefined;
} {
  // The project's own file; the training writes it.
  const { folds, weights } = JSON.parse(readFileSync(join(root, 'training', name), 'utf8')) as {
    folds: Record<string, number>;
    weights: readonly Weights[];
  };
  const isLearnedFrom = (id: string): boolean => Object.hasOwn(folds, id);
  return { isLearnedFrom, weightsOf: (id) => (isLearnedFrom(id) ? weights[folds[id] ?? 0] : undefined) };
}
