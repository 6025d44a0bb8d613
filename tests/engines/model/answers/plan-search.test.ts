import { planSearch } from '../../../../src/steps/plan-search/plan-search';
import { answersEach } from '../../../model-server/behaviours';
import { closeEngines, codesOf, promptText, runAgainst } from '../engine-under-test';

afterEach(closeEngines);

const input = {
  question: 'Does walking improve sleep?',
  tried: ['walking sleep'],
  gaps: ['What is known about shift workers?'],
  most: 2,
};

test('a model plans what to search for, told what was tried and what is open; no more than are wanted, none twice', async () => {
  const queries = ['Walking sleep', 'walking sleep shift workers', 'gait insomnia', 'steps rest'];
  const { output, server } = await runAgainst(planSearch, input, answersEach({ queries }));
  expect(output.queries).toEqual(['walking sleep shift workers', 'gait insomnia']);
  const prompt = promptText(server.asked[0]);
  expect(prompt).toMatch(/tried ===\n- walking sleep\n/);
  expect(prompt).toMatch(/gaps ===\n- What is known about shift workers\?\n/);
});

test('a query with a figure from nowhere is dropped', async () => {
  const bad = { queries: ['walking raises sleep by 37 percent', 'walking insomnia trial'] };
  const { output, warnings } = await runAgainst(planSearch, input, answersEach(bad, bad));
  expect(output.queries).toEqual(['walking insomnia trial']);
  expect(codesOf(warnings)).toEqual(['query-dropped']);
});
