import type { EncodedText } from '../../src/encoder/encoder';
import { lookedFor, nearness } from '../../src/encoder/late-interaction';

/** Tokens whose vectors are given; the mean is of no matter here but for its size. */
function encoded(...tokens: [text: string, vector: [number, number]][]): EncodedText {
  return {
    tokens: tokens.map(([text]) => text),
    vectors: Float32Array.from(tokens.flatMap(([, vector]) => vector)),
    mean: Float32Array.from([1, 0]),
  };
}

const QUESTION = encoded(
  ['does', [0, 1]],
  ['yo', [1, 0]],
  ['##ga', [1, 0]],
  ['sleep', [0, 1]],
  ['?', [0, 1]],
);
const isLookedFor = (word: string): boolean => word !== 'does';

it('looks for the words that say what is asked about, each with all of its pieces', () => {
  expect(lookedFor(QUESTION, isLookedFor)).toEqual([
    { text: 'yoga', tokens: [1, 2] },
    { text: 'sleep', tokens: [3] },
  ]);
});

it('looks for all words where none says what is asked about', () => {
  expect(lookedFor(encoded(['who', [1, 0]]), () => false)).toEqual([{ text: 'who', tokens: [0] }]);
});

it('tells how near each word comes, in the sentence and with its title', () => {
  const asked = { question: QUESTION, wanted: lookedFor(QUESTION, isLookedFor) };
  const sentence = encoded(['rest', [0.6, 0.8]]);
  const title = encoded(['yoga', [1, 0]]);
  const near = nearness(asked, sentence, title);
  expect(near.mean).toBeCloseTo(0.7);
  expect(near.least).toBeCloseTo(0.6);
  expect(near.titledMean).toBeCloseTo(0.9);
  expect(near.titledLeast).toBeCloseTo(0.8);
  expect(near.words.get('yoga')).toBeCloseTo(1);
});

it('takes a text without a word for one that says nothing', () => {
  const near = nearness(
    { question: QUESTION, wanted: lookedFor(QUESTION, isLookedFor) },
    encoded(),
    encoded(),
  );
  expect([near.mean, near.least, near.titledMean]).toEqual([0, 0, 0]);
});

it('asks of alternatives for the nearest alone', () => {
  const asked = (word: string): EncodedText =>
    encoded(['yoga', [1, 0]], ['sleep', [0, 1]], [word, [1, 1]], ['pain', [-1, 0]]);
  const leastOf = (word: string): number => {
    const question = asked(word);
    const wanted = lookedFor(question, (text) => text !== word);
    return nearness({ question, wanted }, encoded(['yoga', [1, 0]], ['sleep', [0, 1]]), encoded()).least;
  };
  expect(leastOf('or')).toBeCloseTo(1);
  expect(leastOf('and')).toBeCloseTo(0);
});
