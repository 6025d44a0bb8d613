import {
  createCachingEncoder,
  dot,
  type EncodedText,
  type Encoder,
  queryWords,
  similarityOf,
} from '../../src/text/encoder';
import { openOnnxEncoder } from '../../src/text/onnx-encoder';
import { similaritiesTo } from '../../src/text/ranking';

describe('late interaction', () => {
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

  it('lookedFor joins the pieces of each word of the question', () => {
    expect(queryWords(QUESTION, isLookedFor)).toEqual([
      { text: 'yoga', tokens: [1, 2] },
      { text: 'sleep', tokens: [3] },
    ]);
  });

  it('lookedFor returns all words where none is selected', () => {
    expect(queryWords(encoded(['who', [1, 0]]), () => false)).toEqual([{ text: 'who', tokens: [0] }]);
  });

  it('nearness scores the sentence with and without its title', () => {
    const asked = { question: QUESTION, wanted: queryWords(QUESTION, isLookedFor) };
    const sentence = encoded(['rest', [0.6, 0.8]]);
    const title = encoded(['yoga', [1, 0]]);
    const near = similarityOf(asked, sentence, title);
    expect(near.titledMean).toBeCloseTo(0.9);
    expect(near.titledLeast).toBeCloseTo(0.8);
  });

  it('nearness of an empty text is 0', () => {
    const near = similarityOf(
      { question: QUESTION, wanted: queryWords(QUESTION, isLookedFor) },
      encoded(),
      encoded(),
    );
    expect([near.titledMean, near.titledLeast]).toEqual([0, 0]);
  });

  it('nearness takes the nearest of alternatives joined by “or”', () => {
    const asked = (word: string): EncodedText =>
      encoded(['yoga', [1, 0]], ['sleep', [0, 1]], [word, [1, 1]], ['pain', [-1, 0]]);
    const leastOf = (word: string): number => {
      const question = asked(word);
      const wanted = queryWords(question, (text) => text !== word);
      return similarityOf({ question, wanted }, encoded(['yoga', [1, 0]], ['sleep', [0, 1]]), encoded())
        .titledLeast;
    };
    expect(leastOf('or')).toBeCloseTo(1);
    expect(leastOf('and')).toBeCloseTo(0);
  });
});

describe('the ONNX encoder', () => {
  let encoder: Encoder;

  beforeAll(async () => {
    encoder = await openOnnxEncoder();
  });

  it('returns a vector for each token and for each text, in order', async () => {
    const texts = ['Walking lowered their blood pressure by a third.', 'Rain.', ''];
    const encoded = await encoder.encode(texts);
    expect(encoded.map(({ tokens }) => tokens.slice(0, 2))).toEqual([
      ['walking', 'lowered'],
      ['rain', '.'],
      [],
    ]);
    for (const { tokens, vectors, mean } of encoded) {
      expect(vectors).toHaveLength(tokens.length * mean.length);
      expect(dot(mean, mean)).toBeCloseTo(1, 4);
    }
    // What stands beside a text changes nothing of it.
    expect(await encoder.encode(['Rain.'])).toEqual(encoded.slice(1, 2));
  });

  it('cuts a long text', async () => {
    const [long] = await encoder.encode(['A word of many. '.repeat(1_000)]);
    expect(long?.tokens.length).toBeLessThan(128);
  });

  it('ranks a paraphrased answer above another subject', async () => {
    const [answer, other] = await similaritiesTo(encoder, 'Does exercise help against depression?', [
      { text: 'Low moods lifted in those who jogged twice a week.', title: '' },
      { text: 'The bridge was closed for repairs until March.', title: '' },
    ]);
    expect(answer?.titledMean).toBeGreaterThan((other?.titledMean ?? 0) + 0.1);
    expect(answer?.cosine).toBeGreaterThan((other?.cosine ?? 0) + 0.1);
  });

  it('ignores the verb of change of a question', async () => {
    const told = { text: 'Insomnia remission was 46 % after tai chi and 44 % after therapy.', title: '' };
    const [improved] = await similaritiesTo(encoder, 'Does tai chi improve insomnia?', [told]);
    const [helped] = await similaritiesTo(encoder, 'Does tai chi help people with insomnia?', [told]);
    const [other] = await similaritiesTo(encoder, 'Does tai chi improve headaches?', [told]);
    expect(improved?.titledLeast).toBeGreaterThan(0.8);
    expect(helped?.titledLeast).toBeGreaterThan(0.6);
    expect(other?.titledLeast).toBeLessThan(0.5);
  });

  it('returns the same vectors on any processor', async () => {
    const [question, ...others] = await encoder.encode([
      'Does tai chi help with insomnia?',
      'Insomnia remission was 46 % after tai chi and 44 % after therapy.',
      'Fatigue decreased in both groups.',
      'Total sleep time increased by 18 minutes compared with evening exercise.',
    ]);
    const cosines = others.map(({ mean }) => dot(question?.mean ?? mean, mean));
    // Sums that are cut off at 16 bits, as they are by default on some, give 0.679, 0.261 and 0.420.
    for (const [at, exact] of [0.675, 0.253, 0.399].entries())
      expect(Math.abs((cosines[at] ?? 0) - exact)).toBeLessThan(0.002);
  });

  it('createRememberingEncoder reuses recent texts and forgets the oldest', async () => {
    const asked: string[][] = [];
    const counting: Encoder = {
      encode(texts) {
        asked.push([...texts]);
        return encoder.encode(texts);
      },
    };
    const remembering = createCachingEncoder(counting, 2);
    const [first, again] = await remembering.encode(['one', 'one']);
    expect(again).toBe(first);
    await remembering.encode(['two']);
    await remembering.encode(['one', 'three']);
    await remembering.encode(['two']);
    expect(asked).toEqual([['one'], ['two'], ['three'], ['two']]);
  });
});
