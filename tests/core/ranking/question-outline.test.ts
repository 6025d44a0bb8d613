import { lexicalRelevance } from '../../../src/core/ranking/lexical-relevance';
import { questionOutline } from '../../../src/core/ranking/question-outline';

const texts = [
  { title: 'Walking and sleep', summary: 'Walking improved sleep.' },
  { title: 'Tea', summary: 'Tea did nothing for sleep.' },
  { title: 'Coal', summary: 'Coal burns.' },
];

test('ranks all sources under the question where there is no plan', () => {
  const question = 'Does walking improve sleep?';
  const [nearness = []] = lexicalRelevance([{ title: question, description: '', subsections: [] }], texts);
  const { sections } = questionOutline(question, ['s0', 's1', 's2'], nearness);
  expect(sections).toHaveLength(1);
  expect(sections[0]).toMatchObject({ id: 'section-1', title: 'Does walking improve sleep?' });
  expect(sections[0]?.relevantSources.map(({ sourceId }) => sourceId)).toEqual(['s0', 's1', 's2']);
});
