import { greatest } from '../../core/values/extremes';
import type { DimensionScore, JudgedPlace } from '../../contracts/judge/judgement';
import { count } from '../../core/writing/count';
import { percent, scoreOf, weightedMean } from '../../core/judge/score-of';
import { terms } from '../../language/words';
import { nearness, type WordVector, wordVector } from '../../reading/whole-text/nearness';
import { orderOfMaterial } from '../../reading/whole-text/order-of-material';
import { orderOfParagraphs } from '../../reading/whole-text/order-of-paragraphs';
import type { PreparedDocument } from './prepared-document';

/** Of its own topic a paragraph has at least so much of what it has of the nearest one: topics of one text are alike. */
const NEAR_ENOUGH = 0.8;
/** A text in which so many sentences stand twice has nothing left for it. */
const INTOLERABLE_REPEATS = 0.25;
/** Shorter sentences may stand twice: `It is not known.` */
const FEWEST_WORDS = 4;
/** A statement of which less is told elsewhere has no place there. */
const TOLD = 0.5;
const MOST_PLACES = 10;

interface Paragraph {
  partId: string;
  vector: WordVector;
  /** As they are written; one at least. */
  sentences: readonly string[];
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
      sentences: sentences.map(({ written }) => written),
    })),
  );
  const misplaced = misplacedParagraphs(paragraphs, prepared);
  const order = orderOfParagraphs([paragraphs.map(({ vector }) => vector)]);
  const within = orderWithinParts(paragraphs, prepared);
  const repeated = repeatedSentences(prepared);
  const empty = parts.filter((part) => part.paragraphs.length === 0 || part.emptyHeadings.length > 0);
  const placed = misplaced === null ? null : 1 - misplaced.length / paragraphs.length;
  const repeats = repeated.length / Math.max(1, prepared.sentences.length);
  const share = weightedMean(
    [
      placed === null ? null : { share: placed, weight: 5 },
      order === null ? null : { share: order, weight: 2 },
      within === null ? null : { share: within, weight: 2 },
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
    ...(within === null ? [] : [`within their parts they keep an order by ${percent(within)}`]),
    `${count(repeated.length, 'sentence')} told before`,
    ...(empty.length === 0 ? [] : [`${count(empty.length, 'heading')} without a text`]),
  ];
  return {
    score: scoreOf(share),
    reason: `${told.join('; ').replace(/^\w/, (letter) => letter.toUpperCase())}.`,
    places: [
      ...(misplaced ?? [])
        .slice(0, MOST_PLACES)
        .map(({ partId, sentences }) => ({ partId, quote: sentences[0] ?? null })),
      ...repeated.slice(0, MOST_PLACES),
      ...empty.map(({ id }) => ({ partId: id, quote: null })),
    ],
  };
}

/**
 * Within its part a paragraph follows another because it goes on with it, or because their material stands so: either is an order.
 */
function orderWithinParts(paragraphs: readonly Paragraph[], prepared: PreparedDocument): number | null {
  const places = placesInMaterial(prepared);
  const parts = prepared.body.map(({ id }) => paragraphs.filter(({ partId }) => partId === id));
  const byWords = orderOfParagraphs(parts.map((own) => own.map(({ vector }) => vector)));
  const byMaterial = orderOfMaterial(
    parts.map((own) => own.map(({ sentences }) => meanOf(sentences.flatMap((one) => places.get(one) ?? [])))),
  );
  return byMaterial === null ? byWords : Math.max(byWords ?? 0, byMaterial);
}

/** Where among its topic's statements stands what a sentence tells, by the sentence as it is written. */
function placesInMaterial({ document, finder, sentences }: PreparedDocument): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const { id, statements } of document.topics)
    for (const [at, { text }] of statements.entries()) {
      const { sentence, degree } = finder.find(text);
      const telling = sentences[sentence];
      if (telling === undefined || telling.partId !== id || degree < TOLD) continue;
      places.set(telling.written, [...(places.get(telling.written) ?? []), at]);
    }
  return places;
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
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
    return own < NEAR_ENOUGH * greatest(near.map((topic) => topic.near));
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
