import type { DimensionScore, JudgedPlace } from '../../contracts/judge/judgement';
import { percent, scoreOf, weightedMean } from '../../core/judge/score-of';
import { terms } from '../../language/words';
import { nearness, type WordVector, wordVector } from '../../reading/whole-text/nearness';
import { orderOfParagraphs } from '../../reading/whole-text/order-of-paragraphs';
import type { PreparedDocument } from './prepared-document';

/** Of its own topic a paragraph has at least so much of what it has of the nearest one: topics of one text are alike. */
const NEAR_ENOUGH = 0.8;
/** A text in which so many sentences stand twice has nothing left for it. */
const INTOLERABLE_REPEATS = 0.25;
/** Shorter sentences may stand twice: `It is not known.` */
const FEWEST_WORDS = 4;
const MOST_PLACES = 10;

interface Paragraph {
  partId: string;
  vector: WordVector;
  first: string;
}

/**
 * Whether paragraphs stand under the topic that they tell of, and follow one another better than in another order of the same
 * paragraphs; whether sentences stand twice; whether headings have a text.
 */
export function coherence(prepared: PreparedDocument): DimensionScore {
  const { body, parts, weightOf } = prepared;
  const paragraphs = body.flatMap(({ id, paragraphs: own }) =>
    own.map(({ stems, sentences }): Paragraph => ({
      partId: id,
      vector: wordVector(stems, weightOf),
      first: sentences[0]?.written ?? '',
    })),
  );
  const misplaced = misplacedParagraphs(paragraphs, prepared);
  const order = orderOfParagraphs(paragraphs.map(({ vector }) => vector));
  const repeated = repeatedSentences(prepared);
  const empty = parts.filter((part) => part.paragraphs.length === 0 || part.emptyHeadings.length > 0);
  const placed = misplaced === null ? null : 1 - misplaced.length / paragraphs.length;
  const repeats = repeated.length / Math.max(1, prepared.sentences.length);
  const share = weightedMean(
    [
      placed === null ? null : { share: placed, weight: 5 },
      order === null ? null : { share: order, weight: 3 },
      { share: 1 - repeats / INTOLERABLE_REPEATS, weight: 2 },
      { share: parts.length === 0 ? 0 : 1 - empty.length / parts.length, weight: 1 },
    ],
    0,
  );
  const told = [
    ...(placed === null
      ? []
      : [`${percent(placed)} of its paragraphs stand under the topic that they tell of`]),
    ...(order === null
      ? []
      : [`they follow one another better than in ${percent(order)} of other orders of the same`]),
    `${repeated.length} sentences stand twice`,
    ...(empty.length === 0 ? [] : [`${empty.length} headings have no text`]),
  ];
  return {
    score: scoreOf(share),
    reason: `${told.join('; ').replace(/^\w/, (letter) => letter.toUpperCase())}.`,
    places: [
      ...(misplaced ?? []).slice(0, MOST_PLACES).map(({ partId, first }) => ({ partId, quote: first })),
      ...repeated.slice(0, MOST_PLACES),
      ...empty.map(({ id }) => ({ partId: id, quote: null })),
    ],
  };
}

/** Null where there are no two topics with statements under which paragraphs could stand. */
function misplacedParagraphs(
  paragraphs: readonly Paragraph[],
  { document, weightOf, body }: PreparedDocument,
): Paragraph[] | null {
  const ids = new Set(body.map(({ id }) => id));
  const topics = document.topics
    .filter(({ id, statements }) => ids.has(id) && statements.length > 0)
    .map(({ id, title, statements }) => ({
      id,
      vector: wordVector(terms([title, ...statements.map(({ text }) => text)].join('\n')), weightOf),
    }));
  if (topics.length < 2 || paragraphs.length === 0) return null;
  const known = new Set(topics.map(({ id }) => id));
  return paragraphs.filter(({ partId, vector }) => {
    if (!known.has(partId)) return false;
    const near = topics.map((topic) => ({ id: topic.id, near: nearness(vector, topic.vector) }));
    const own = near.find(({ id }) => id === partId)?.near ?? 0;
    return own < NEAR_ENOUGH * Math.max(...near.map((topic) => topic.near));
  });
}

/** Of the body: summaries and conclusions say again what it tells. */
function repeatedSentences({ sentences }: PreparedDocument): JudgedPlace[] {
  const seen = new Set<string>();
  return sentences.flatMap(({ stems, plain, partId, written }): JudgedPlace[] => {
    if (stems.size < FEWEST_WORDS) return [];
    const key = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
    if (seen.has(key)) return [{ partId, quote: written }];
    seen.add(key);
    return [];
  });
}
