import { askedTopics, mentionsOf } from '../../../src/core/planning/mentions';

const QUESTION = 'Does walking reduce pain in people with arthritis or back pain?';

function mentionsByTopic(text: string): Record<string, number> {
  const [counts = []] = mentionsOf(QUESTION, [text]);
  return Object.fromEntries(askedTopics(QUESTION).map(({ text: topic }, at) => [topic, counts[at] ?? 0]));
}

test('counts the sentences that speak of each topic of the question', () => {
  const text = 'Walking helped. Pain fell after walking. Nothing else changed. The pain came back.';
  expect(mentionsByTopic(text)).toMatchObject({ walking: 2, pain: 2, arthritis: 0 });
});

test('finds a topic in longer words, and in words that stand for it', () => {
  expect(mentionsByTopic('Patients had knee osteoarthritis. Soreness was measured.')).toMatchObject({
    arthritis: 1,
    pain: 1,
  });
});

test('a topic of several words is spoken of where most of it is', () => {
  expect(mentionsByTopic('Low back pain improved. They came back.')).toMatchObject({ 'back pain': 1 });
});

test('gives one figure for each topic and text, none of them for a text without words', () => {
  const topics = askedTopics(QUESTION).length;
  expect(mentionsOf(QUESTION, ['', 'Walking.']).map((counts) => counts.length)).toEqual([topics, topics]);
  expect(mentionsOf(QUESTION, [''])[0]).toEqual(Array.from({ length: topics }, () => 0));
});
