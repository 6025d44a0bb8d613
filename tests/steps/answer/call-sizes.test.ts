import { CALL_SIZES } from '../../../src/core/budget/call-estimates';
import { answer } from '../../../src/steps/answer/answer';
import { compress } from '../../../src/steps/compress/compress';
import { rewriteQuestion } from '../../../src/steps/rewrite-question/rewrite-question';
import type { Step } from '../../../src/steps/step';
import { renderTemplate } from '../../../src/steps/template';
import { answerInput, passages, QUESTION } from '../../engines/model/reply/passages';

const many = Array.from(
  { length: 24 },
  (_, at) => passages().map((one) => ({ ...one, id: `P${5 * at + 1}` }))[0],
).flatMap((passage) => (passage === undefined ? [] : [{ ...passage, text: 'word '.repeat(300).trim() }]));
const chars = many.reduce((sum, { text }) => sum + text.length, 0);
const history = Array.from({ length: 100 }, () => ({
  role: 'user' as const,
  content: 'turn '.repeat(1_000),
}));
const long = Array.from({ length: 200 }, (_, at) => `${at} ${'gap '.repeat(100)}`);

function charsOf<Input, Output>(step: Step<Input, Output>, input: Input): number {
  const { system, user } = renderTemplate(
    step.name,
    step.template,
    step.variables(input, 'feedfacefeedface'),
  );
  return system.length + user.length;
}

test.each([true, false])(
  'no prompt is longer than the size that is reserved for it: synthesis mode %s',
  (synthesisMode) => {
    const critique = { logicalGaps: long };
    const input = answerInput({ passages: many, history, critique, synthesisMode, maxTokens: 600 });
    const size = CALL_SIZES.answer(many.length, chars, 600);
    expect(charsOf(answer, input)).toBeLessThanOrEqual(size.inputChars);
    expect(size.maxOutputTokens).toBe(600);
  },
);

test('nor that of the other steps of an answer', () => {
  const asked = { question: QUESTION, passages: many, maxChars: 200 };
  expect(charsOf(compress, asked)).toBeLessThanOrEqual(
    CALL_SIZES.compress(many.length, chars, 200).inputChars,
  );
  const reworded = { question: QUESTION, history, tried: long, found: long, gaps: long };
  expect(charsOf(rewriteQuestion, reworded)).toBeLessThanOrEqual(CALL_SIZES.rewriteQuestion().inputChars);
});
