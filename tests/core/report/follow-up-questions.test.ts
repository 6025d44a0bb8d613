import { followUpQuestions } from '../../../src/core/report/follow-up-questions';

test('asks for what lies behind each sort of disagreement, then where the gaps are answered', () => {
  const asked = followUpQuestions({
    conflicts: [
      { kind: 'direction', topic: 'The tax and employment' },
      { kind: 'number', topic: 'GDP growth in 2009' },
      { kind: 'condition', topic: 'Indexes and write speed' },
    ],
    gaps: [{ question: 'What did the tax cost?' }],
  });
  expect(asked).toEqual([
    'What explains that sources disagree on the tax and employment?',
    'Which of the figures given for GDP growth in 2009 holds, and for what?',
    'Under which conditions does what sources report on indexes and write speed hold?',
    'Which sources outside this collection answer “What did the tax cost”?',
  ]);
});

test('asks five questions at most, three of them on disagreements, and none twice', () => {
  const conflicts = [1, 2, 3, 4].map((at) => ({ kind: 'number' as const, topic: `Topic ${at}` }));
  const gaps = ['Why?', 'Why?', 'When?', 'Where?'].map((question) => ({ question }));
  const asked = followUpQuestions({ conflicts, gaps });
  expect(asked).toHaveLength(5);
  expect(asked.filter((question) => question.startsWith('Which of the figures'))).toHaveLength(3);
  expect(new Set(asked).size).toBe(5);
});

test('asks nothing where nothing is open', () => {
  expect(followUpQuestions({ conflicts: [], gaps: [] })).toEqual([]);
});
