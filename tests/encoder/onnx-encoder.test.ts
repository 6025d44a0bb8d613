import type { Encoder } from '../../src/encoder/encoder';
import { openOnnxEncoder } from '../../src/encoder/onnx-encoder';
import { createRememberingEncoder } from '../../src/encoder/remembering-encoder';
import { dot } from '../../src/encoder/vectors';
import { nearnessTo } from '../../src/reading/rank-by-meaning';

let encoder: Encoder;
beforeAll(async () => {
  encoder = await openOnnxEncoder();
});

it('gives each text a vector for every token and one for the whole, in the order of the texts', async () => {
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

it('reads a text of any length, and not beyond what it can hold', async () => {
  const [long] = await encoder.encode(['A word of many. '.repeat(1_000)]);
  expect(long?.tokens.length).toBeLessThan(128);
});

it('finds an answer in other words nearer than what is on something else', async () => {
  const [answer, other] = await nearnessTo(encoder, 'Does exercise help against depression?', [
    { text: 'Low moods lifted in those who jogged twice a week.', title: '' },
    { text: 'The bridge was closed for repairs until March.', title: '' },
  ]);
  expect(answer?.mean).toBeGreaterThan((other?.mean ?? 0) + 0.1);
  expect(answer?.cosine).toBeGreaterThan((other?.cosine ?? 0) + 0.1);
});

it('looks for what is asked about, and not for a verb of change, which results tell in other words', async () => {
  const told = { text: 'Insomnia remission was 46 % after tai chi and 44 % after therapy.', title: '' };
  const [improved] = await nearnessTo(encoder, 'Does tai chi improve insomnia?', [told]);
  const [helped] = await nearnessTo(encoder, 'Does tai chi help people with insomnia?', [told]);
  const [other] = await nearnessTo(encoder, 'Does tai chi improve headaches?', [told]);
  expect(improved?.titledLeast).toBeGreaterThan(0.8);
  expect(helped?.titledLeast).toBeGreaterThan(0.6);
  expect(other?.titledLeast).toBeLessThan(0.5);
});

it('gives the same vectors on any processor', async () => {
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

it('encodes nothing anew that it was lately given, and forgets what was asked for first', async () => {
  const asked: string[][] = [];
  const counting: Encoder = {
    encode(texts) {
      asked.push([...texts]);
      return encoder.encode(texts);
    },
  };
  const remembering = createRememberingEncoder(counting, 2);
  const [first, again] = await remembering.encode(['one', 'one']);
  expect(again).toBe(first);
  await remembering.encode(['two']);
  await remembering.encode(['one', 'three']);
  await remembering.encode(['two']);
  expect(asked).toEqual([['one'], ['two'], ['three'], ['two']]);
});
