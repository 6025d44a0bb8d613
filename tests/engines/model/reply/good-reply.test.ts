import { compress } from '../../../../src/steps/compress/compress';
import { rewriteQuestion } from '../../../../src/steps/rewrite-question/rewrite-question';
import { createGoodModel } from '../../../model-server/good-model';
import { closeEngines, context } from '../engine-under-test';
import { answerInput, passages, QUESTION } from './passages';
import { written } from './written-reply';

afterEach(closeEngines);

test.each([
  ['answers', false],
  ['brings documents together', true],
])('a model that keeps to the passages %s without a word lost', async (_what, synthesisMode) => {
  const model = createGoodModel();
  const input = answerInput({ synthesisMode });
  const { output, warnings, server, engine } = await written((request) => model.answer(request), input);
  expect(warnings).toEqual([]);
  expect(server.asked).toHaveLength(1);
  const texts = new Map(passages().map(({ id, text }) => [id, text]));
  expect(output.sentences.length).toBeGreaterThanOrEqual(3);
  for (const { plain, passageIds } of output.sentences) {
    expect(passageIds).toHaveLength(1);
    expect(texts.get(passageIds[0] ?? '')).toContain(plain.replace(/\.$/, ''));
  }

  const given = { question: QUESTION, passages: passages(), maxChars: 200 };
  const shortened = await engine.run(compress, given, context());
  expect(shortened.warnings).toEqual([]);
  const asked = { question: QUESTION, history: [], tried: [QUESTION], found: [], gaps: [] };
  const reworded = await engine.run(rewriteQuestion, asked, context());
  expect(reworded.output.queries).toEqual(['vitamin help bones adults']);
});
