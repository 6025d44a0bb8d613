import { expectSound } from './material-invariants';
import { gathered, statedIn, statementsOf } from './subtopics-under-test';

const A = 'https://a.example/';
const B = 'https://b.example/';
const C = 'https://c.example/';

const said = (summary: string, citations = [A, B]): string[] => statedIn(summary, citations);

it('keeps numbers, units and quotations word for word, without the marks', () => {
  const rose = 'Serum ferritin rose by 12.4 µg/L (95% CI 3.1 to 21.7; p = 0.01)';
  const called = 'which the authors call “a modest, but real gain”';
  expect(said(`${rose} [1], ${called} [2].`)).toEqual([`${rose}, ${called}. [1, 2]`]);
});

it('takes no heading, table, code, question or list of sources for a statement', () => {
  const summary = [
    '## What was found',
    '**In adults**',
    'Walking lowered blood pressure by 4.5 mmHg [1].',
    'The trials found the following:',
    '- Swimming lowered it by 2 mmHg [2].\n- Rowing did not change it [1].',
    '| exercise | effect |\n| --- | --- |\n| cycling | lowered it by 3 mmHg [1] |',
    '```\nthe effect was computed so [1]\n```',
    'Does it last for a year?',
    `## Sources\n\n[1] "A trial of walking." ${A}\n[2] "A trial of swimming." ${B}`,
  ].join('\n\n');
  expect(said(summary)).toEqual([
    'Walking lowered blood pressure by 4.5 mmHg. [1]',
    'Swimming lowered it by 2 mmHg. [2]',
    'Rowing did not change it. [1]',
  ]);
});

describe('a sentence without a mark', () => {
  const [first, second] = ['Forty adults took part in it.', 'All of them walked for a year'];

  it('takes those of the next cited sentence of its paragraph', () => {
    expect(said(`It was done before [1]. ${first} ${second} [2].`)[1]).toBe(`${first} [2]`);
  });

  it('takes those of the one before where none follows in its paragraph', () => {
    expect(said(`${second} [1]. ${first}\n\nOthers walked for a month [2].`)[1]).toBe(`${first} [1]`);
  });

  it('takes all of its subtopic where its paragraph has none', () => {
    expect(said(`${first}\n\n${second} [2].`, [A, B, C])[0]).toBe(`${first} [1, 2, 3]`);
  });
});

it('is less sure the less is told of where it comes from, and surer where sources agree', () => {
  const confidenceOf = (summary: string, citations = [A, B, C]): (number | undefined)[] =>
    gathered([{ summary, citations }]).subtopics[0]?.findings.map(({ confidence }) => confidence) ?? [];
  expect(confidenceOf('Forty adults took part in it.')).toEqual([0.45]);
  const two = 'Forty adults took part in it. All of them walked for a year [1].';
  expect(confidenceOf(two)).toEqual([0.6, 0.65]);
  expect(confidenceOf('Forty adults walked for a year [1][2].')).toEqual([0.85]);
  expect(confidenceOf('Forty adults walked for a year [1-3].')).toEqual([0.95]);
  expect(confidenceOf('Forty adults walked for a year [1].', ['https://www.who.int/a'])).toEqual([0.75]);
});

it('leaves out what cannot be cited, and says so', () => {
  const material = gathered([{ title: 'Walking', summary: 'Forty adults took part in it.' }]);
  expect(statementsOf(material)).toEqual([]);
  expect(material.warnings.map(({ code }) => code)).toEqual(['summary-cites-nothing']);
});

it('says where each statement stands in its summary as given', () => {
  const written = ['Forty **adults** took part [1].', `All walked [for a year](${B}), or more.`];
  const summary = `# Walking\n\n${written.join('\n')}`;
  const { subtopics, places } = gathered([{ summary, citations: [A] }]);
  const stand = (subtopics[0]?.findings ?? []).flatMap(({ id }) => places[id] ?? []);
  expect(stand.map(({ start, end }) => summary.slice(start, end))).toEqual(written);
  expect(stand.map(({ paragraph }) => paragraph)).toEqual([0, 0]);
});

it.each([
  ['', 'nothing'],
  ['[1]', 'a mark alone'],
  ['```\n[1] open code', 'code without an end'],
  ['Walked [1] [@x; @y] <b>more</b> than before.\r\n\r\n> It was quoted so [2].', 'what looks like marks'],
  ['血压降低了4.5毫米汞柱[1]。持续了一年【2】。', 'a script without spaces'],
  ['1. It rose by 3% [1]\n2. It fell by 4% [2]\n   [3]', 'items without full stops'],
])('makes sound material of %j: %s', (summary) => {
  expectSound(gathered([{ summary, citations: [A, B] }]), () => summary);
});
