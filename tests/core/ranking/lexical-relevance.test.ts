import { lexicalRelevance } from '../../../src/core/ranking/lexical-relevance';
import { questionOutline } from '../../../src/core/ranking/question-outline';

const texts = [
  { title: 'Walking and sleep', summary: 'Walking improved sleep.' },
  { title: 'Tea', summary: 'Tea did nothing for sleep.' },
  { title: 'Coal', summary: 'Coal burns.' },
];

test('relevance by words is 1 for what shares most, 0 for what shares nothing', () => {
  const topic = { title: 'Sleep and walking', description: '', subsections: [] };
  const [[most = 0, some = 0, none = 0] = []] = lexicalRelevance([topic], texts);
  expect(most).toBe(1);
  expect(some).toBeGreaterThan(0);
  expect(some).toBeLessThan(1);
  expect(none).toBe(0);
});

test('ranks all sources under the question where there is no plan', () => {
  const question = 'Does walking improve sleep?';
  const [nearness = []] = lexicalRelevance([{ title: question, description: '', subsections: [] }], texts);
  const { sections } = questionOutline(question, ['s0', 's1', 's2'], nearness);
  expect(sections).toHaveLength(1);
  expect(sections[0]).toMatchObject({ id: 'section-1', title: 'Does walking improve sleep?' });
  expect(sections[0]?.relevantSources.map(({ sourceId }) => sourceId)).toEqual(['s0', 's1', 's2']);
});
