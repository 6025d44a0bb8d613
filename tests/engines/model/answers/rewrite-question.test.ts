import type { RewriteQuestionInput } from '../../../../src/steps/rewrite-question/contract';
import { rewriteQuestion } from '../../../../src/steps/rewrite-question/rewrite-question';
import { answers, answersEach, answersJson } from '../../../model-server/behaviours';
import { closeEngines, codesOf, context, engineAgainst, promptText, runAgainst } from '../engine-under-test';

afterEach(closeEngines);

function input(changes: Partial<RewriteQuestionInput> = {}): RewriteQuestionInput {
  return {
    question: 'And in children?',
    history: [
      { role: 'human', content: 'Does vitamin D help bones in women?' },
      { role: 'ai', content: 'Bone mineral density rose by 2.1%.' },
    ],
    tried: ['And in children?'],
    found: ['Vitamin D and bone density in women'],
    gaps: ['Nothing on children'],
    ...changes,
  };
}

test('what the conversation leaves implicit is put in; the model is told what was tried, found and missing', async () => {
  const queries = ['Does vitamin D help bones in children?', 'cholecalciferol bone density paediatric'];
  const { output, warnings, server } = await runAgainst(rewriteQuestion, input(), answersEach({ queries }));
  expect(output.queries).toEqual(queries);
  expect(warnings).toEqual([]);
  expect(server.asked[0]?.body).toMatchObject({ model: 'small', temperature: 0 });
  const prompt = promptText(server.asked[0]);
  expect(prompt).toContain('Does vitamin D help bones in women?');
  expect(prompt).toMatch(/found ===\n- Vitamin D and bone density in women\n/);
  expect(prompt).toMatch(/gaps ===\n- Nothing on children\n/);
});

test('three wordings at most, none twice, none that was tried', async () => {
  const bones = ['Bones of girls?', 'bones of girls', 'Bones of boys?'];
  const queries = ['And in CHILDREN', ...bones, 'Youth?', 'Infants?'];
  const { output, server } = await runAgainst(rewriteQuestion, input(), answersEach({ queries }));
  expect(output.queries).toEqual(['Bones of girls?', 'Bones of boys?', 'Youth?']);
  expect(server.asked).toHaveLength(1);
});

test('a wording that answers with a figure from nowhere is dropped, with Markdown and addresses', async () => {
  const figure = 'Vitamin D raises bone density by 7% in children';
  const bad = { queries: [figure, '**Vitamin D** in [children](https://evil.example)?'] };
  const { output, warnings } = await runAgainst(rewriteQuestion, input(), answersEach(bad, bad));
  expect(output.queries).toEqual(['Vitamin D in children?']);
  expect(codesOf(warnings)).toEqual(['query-dropped']);
});

test.each([
  ['nothing better', answersJson({ queries: [] })],
  ['garbage', answers('It does, I think.')],
])('where a model has %s the question stands alone, and the step does not fail', async (_what, behaviour) => {
  const { output } = await runAgainst(rewriteQuestion, input(), () => behaviour);
  expect(output.queries).toEqual([]);
});

test('a question without a conversation has no empty blocks in its prompt', async () => {
  const { engine, server } = await engineAgainst(answersEach({ queries: [] }));
  await engine.run(rewriteQuestion, input({ history: [], tried: [], found: [], gaps: [] }), context());
  expect(promptText(server.asked[0])).not.toMatch(/=== [0-9a-f]{16} (?:conversation|found|gaps|tried) ===/);
});
