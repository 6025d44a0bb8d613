import { lexicalRelevance } from '../../../src/core/ranking/lexical-relevance';

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
