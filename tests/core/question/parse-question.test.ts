import { parseQuestion, topicsOf } from '../../../src/core/question/parse-question';

const facets = (question: string): string[] =>
  parseQuestion(question).parts.flatMap((part) =>
    part.facets.map((facet) => `${facet.role}: ${facet.topics.map((topic) => topic.text).join(' | ')}`),
  );

test('takes what acts and what is acted on apart', () => {
  expect(facets('Does vitamin D supplementation improve bone or muscle outcomes?')).toEqual([
    'subject: vitamin D supplementation',
    'object: bone | muscle outcomes',
  ]);
});

test('splits joined questions, and leaves a second one that only asks how much without topics', () => {
  const parsed = parseQuestion('Which lifestyle interventions improve health outcomes, and by how much?');
  expect(parsed.parts.map((part) => part.text)).toEqual([
    'Which lifestyle interventions improve health outcomes',
    'by how much',
  ]);
  expect(parsed.asks).toEqual(expect.arrayContaining(['which', 'how-much']));
  expect(parsed.parts[1]?.facets).toEqual([]);
});

test('keeps a list that belongs to one place of the question together', () => {
  expect(facets('How do these packages handle errors, cancellation and caching?')).toEqual([
    'subject: packages',
    'object: errors | cancellation | caching',
  ]);
});

test('does not split at an "and" between topics', () => {
  expect(parseQuestion('Do tea and coffee keep people awake?').parts).toHaveLength(1);
});

test('sees populations as conditions', () => {
  expect(facets('What is the effect of probiotics on gut health in infants and children?')).toEqual([
    'subject: probiotics',
    'object: gut health',
    'condition: infants | children',
  ]);
});

test('takes a noun after an auxiliary and a subject as the verb', () => {
  expect(facets('Do web-based programmes change diet and physical activity?')).toEqual([
    'subject: web-based programmes',
    'object: diet | physical activity',
  ]);
});

test.each([
  ['Is creatine safe for older adults?', 'safety'],
  ['What does the screening cost?', 'cost'],
  ['How long do the effects last?', 'duration'],
  ['Why do plants grow towards light?', 'why'],
  ['Does walking work better than swimming?', 'compare'],
  ['To what extent does noise reduce sleep?', 'how-much'],
])('%s asks for %s', (question, ask) => {
  expect(parseQuestion(question).asks).toContain(ask);
});

test('what is asked is not a topic', () => {
  const topics = topicsOf(parseQuestion('Is creatine safe, and what does it cost?')).map(
    (topic) => topic.text,
  );
  expect(topics).toEqual(['creatine']);
});

test('a question of nothing but function words has no topics', () => {
  expect(topicsOf(parseQuestion('What is it?'))).toEqual([]);
});

test.each([
  ['Does vitamin D work?', ['vitamin D']],
  ['Does yoga work for back pain?', ['yoga', 'back pain']],
  ['Does shift work cause insomnia?', ['shift work', 'insomnia']],
])('"work" is what is asked, and no topic, where it is the verb: %s', (question, topics) => {
  expect(topicsOf(parseQuestion(question)).map(({ text }) => text)).toEqual(topics);
});
