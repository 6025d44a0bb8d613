import type { Encoder } from '../../../src/encoder/encoder';
import { openOnnxEncoder } from '../../../src/encoder/onnx-encoder';
import { saysTheSame } from '../../../src/reading/statements/says-the-same';
import { readStatement } from '../../../src/reading/statements/statement';

let encoder: Encoder;
beforeAll(async () => {
  encoder = await openOnnxEncoder();
});

const ROWING = 'Effects of rowing training on blood pressure and balance';

async function says(claim: string, quote: string, titles: readonly [string, string] = [ROWING, ROWING]) {
  const [one, other, title, otherTitle] = await encoder.encode([claim, quote, ...titles]);
  if (one === undefined || other === undefined || title === undefined || otherTitle === undefined)
    throw new Error('The encoder left out a text');
  return saysTheSame(
    { statement: readStatement(claim, titles[0]), text: one, title },
    { statement: readStatement(quote, titles[1]), text: other, title: otherTitle },
    () => 1,
  );
}

const LOWERED = 'Rowing training significantly lowered systolic blood pressure.';

test.each([
  [
    'the same effect in other words',
    LOWERED,
    'Twelve weeks of training on a rowing machine reduced systolic blood pressure.',
    true,
  ],
  ['the contrary', LOWERED, 'Rowing training significantly raised systolic blood pressure.', false],
  ['no effect', LOWERED, 'Rowing training did not lower systolic blood pressure.', false],
  ['a supposition', LOWERED, 'Rowing training may lower systolic blood pressure.', false],
  [
    'that something else changed',
    LOWERED,
    'Rowing training significantly lowered the number of falls.',
    false,
  ],
  [
    'another figure',
    'Rowing training lowered systolic blood pressure by 12%.',
    'Systolic blood pressure was lowered by 4% by rowing training.',
    false,
  ],
])('a quote that tells %s', async (_what, claim, quote, isSaid) => {
  expect(await says(claim, quote)).toBe(isSaid);
});

test('a quote does not say it where something else was tried', async () => {
  const titles = [ROWING, 'Zinc supplementation in schoolchildren with diarrhoea'] as const;
  expect(await says(LOWERED, 'Zinc tablets significantly lowered systolic blood pressure.', titles)).toBe(
    false,
  );
});

const BUILT = 'The Ahrental dam was built by the engineer Otto Reis in 1931.';
const MORE = 'The engineer Otto Reis constructed the Ahrental dam in 1931, and a power station beside it.';

test.each([
  ['each word, name and number is met, whatever else it says', MORE, true],
  ['a name was exchanged', BUILT.replace('Otto Reis', 'Karl Lind'), false],
  ['a number was exchanged', BUILT.replace('1931', '1934'), false],
])('a quote without an effect, where %s', async (_what, quote, isSaid) => {
  expect(await says(BUILT, quote, ['', ''])).toBe(isSaid);
});
