import { expectSound } from './material-invariants';
import { gathered, statedIn, statementsOf } from './subtopics-under-test';

const A = 'https://a.example/';
const B = 'https://b.example/';
const LONG =
  'In forty older adults who walked for thirty minutes a day over twelve weeks, systolic blood pressure fell by 4.5 mmHg on average';

it('tells what several subtopics say once, where it stands first, with the citations of all', () => {
  const summaries = [`${LONG} [1].`, `Diaries were kept by all of them [1]. ${LONG} [2].`];
  const material = gathered(summaries.map((summary) => ({ summary, citations: [A, B] })));
  expect(statementsOf(material)).toEqual([`${LONG}. [1, 2]`, 'Diaries were kept by all of them. [1]']);
  const [first] = material.subtopics[0]?.findings ?? [];
  expect(first?.confidence).toBe(0.85);
  const places = material.places[first?.id ?? ''] ?? [];
  expect(places.map(({ subtopicId }) => subtopicId)).toEqual(['subtopic-1', 'subtopic-2']);
  expectSound(material, (id) => summaries[Number(id.at(-1)) - 1] ?? '');
});

it('is no surer where the same source is cited twice', () => {
  const summary = `${LONG} [1].`;
  const material = gathered([
    { summary, citations: [A] },
    { summary, citations: [`${A}?utm_source=b`] },
  ]);
  expect(material.subtopics[0]?.findings).toMatchObject([{ confidence: 0.65 }]);
});

it('knows a sentence again that differs in a word or two', () => {
  const other = LONG.replace('on average', 'on the average');
  expect(statedIn(`${LONG} [1].\n\n${other} [2].`, [A, B])).toEqual([`${LONG}. [1, 2]`]);
});

it.each([
  ['4.5', '5.4'],
  ['older adults', 'young adults'],
  ['fell by', 'rose by'],
])('keeps both where %s is %s', (one, other) => {
  const changed = LONG.replace(one, other);
  const stated = statedIn(`${LONG} [1].\n\n${changed} [2].`, [A, B]);
  expect(stated).toEqual([`${LONG}. [1]`, `${changed}. [2]`]);
});

it('gives a sentence with marks nothing of those that one without marks was given', () => {
  const material = gathered([
    { summary: `${LONG} [1].`, citations: [A] },
    { summary: `${LONG}.\n\nDiaries were kept by all of them [1].`, citations: [B] },
  ]);
  expect(statementsOf(material)[0]).toBe(`${LONG}. [1]`);
});
