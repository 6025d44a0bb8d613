import { openOnnxEncoder } from '../../../src/encoder/onnx-encoder';
import type { Encoder } from '../../../src/encoder/encoder';
import { bearingByMeaning, bearingByWords, bears } from '../../../src/reading/question/bearing';
import { readQuestion } from '../../../src/reading/question/question';

let encoder: Encoder;
beforeAll(async () => {
  encoder = await openOnnxEncoder();
});

const ALMONDS = {
  title: 'Almonds and blood lipids in healthy adults: a trial',
  text: 'Total cholesterol fell by 0.3 mmol/L with almonds (p = 0.01).',
};
const ENZYME = {
  title: 'Lemon verbena and recovery after exercise',
  text: 'Creatine kinase did not differ between the groups.',
};
const MORTALITY = {
  title: 'Vitamin A supplementation of newborns',
  text: 'Mortality did not differ between the groups (p = 0.4).',
};

test.each([
  ['Do nuts lower cholesterol?', ALMONDS, { cause: true, outcome: true }],
  ['Does creatine increase strength?', ENZYME, { cause: false, outcome: false }],
  ['Does vitamin A prevent death in infants?', MORTALITY, { cause: true, outcome: true }],
])('by what is meant: %s', async (question, told, { cause, outcome }) => {
  const [bearing] = await bearingByMeaning(encoder, [told], readQuestion(question));
  expect([bears(bearing?.ofCause ?? 0), bears(bearing?.onOutcome ?? 0)]).toEqual([cause, outcome]);
});

test('without an encoder only the same words are of what is asked, or on it', () => {
  expect(bearingByWords(ALMONDS, readQuestion('Do nuts lower cholesterol?'))).toEqual({
    ofCause: 0,
    onOutcome: 1,
  });
  expect(bearingByWords(ALMONDS, readQuestion('Do almonds lower cholesterol?')).ofCause).toBe(1);
});

test('where a question names but one thing, everything bears on it', async () => {
  const told = [ALMONDS, ENZYME];
  const bearing = await bearingByMeaning(encoder, told, readQuestion('Does it work?'));
  expect(bearing).toEqual(told.map(() => ({ ofCause: 1, onOutcome: 1 })));
});
