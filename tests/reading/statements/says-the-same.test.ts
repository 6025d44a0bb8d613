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

describe('a quote says what is claimed', () => {
  it('where it tells the same effect of the same in other words', async () => {
    expect(
      await says(LOWERED, 'Twelve weeks of training on a rowing machine reduced systolic blood pressure.'),
    ).toBe(true);
  });

  it('and not where it tells the contrary, no effect, or a supposition', async () => {
    expect(await says(LOWERED, 'Rowing training significantly raised systolic blood pressure.')).toBe(false);
    expect(await says(LOWERED, 'Rowing training did not lower systolic blood pressure.')).toBe(false);
    expect(await says(LOWERED, 'Rowing training may lower systolic blood pressure.')).toBe(false);
  });

  it('nor where something else changed, or something else was tried', async () => {
    expect(await says(LOWERED, 'Rowing training significantly lowered the number of falls.')).toBe(false);
    expect(
      await says(LOWERED, 'Zinc tablets significantly lowered systolic blood pressure.', [
        ROWING,
        'Zinc supplementation in schoolchildren with diarrhoea',
      ]),
    ).toBe(false);
  });

  it('nor where it gives another figure', async () => {
    expect(
      await says(
        'Rowing training lowered systolic blood pressure by 12%.',
        'Systolic blood pressure was lowered by 4% by rowing training.',
      ),
    ).toBe(false);
  });
});

describe('a quote without an effect says what is claimed', () => {
  const untitled: [string, string] = ['', ''];

  it('where each word, name and number is met, whatever else it says', async () => {
    expect(
      await says(
        'The Ahrental dam was built by the engineer Otto Reis in 1931.',
        'The engineer Otto Reis constructed the Ahrental dam in 1931, and a power station beside it.',
        untitled,
      ),
    ).toBe(true);
  });

  it('and not where a name or a number was exchanged', async () => {
    const claim = 'The Ahrental dam was built by the engineer Otto Reis in 1931.';
    expect(await says(claim, 'The Ahrental dam was built by the engineer Karl Lind in 1931.', untitled)).toBe(
      false,
    );
    expect(await says(claim, 'The Ahrental dam was built by the engineer Otto Reis in 1934.', untitled)).toBe(
      false,
    );
  });
});
