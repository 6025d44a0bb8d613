import type { GatheredMaterial } from '../../src/subtopics/gathered-material';
import { expectSound } from './material-invariants';
import { gathered, statementsOf } from './subtopics-under-test';

const A = 'https://a.example/';
const B = 'https://b.example/';

const claimsIn = ({ subtopics }: GatheredMaterial): string[] =>
  subtopics.flatMap(({ findings }) => findings.map(({ claim }) => claim));
const claimsOf = (summary: string): string[] => claimsIn(gathered([{ summary, citations: [A, B] }]));

it('takes the items of a list that stands alone for statements', () => {
  const items = ['Prices fell by 12 % in 2023', 'Loans are rare in towns'];
  expect(claimsOf(`- ${items[0]} [1]\n- ${items[1]} [2]`)).toEqual(items);
});

it('leaves out what only points at a site, and tells where else an address is part of the sentence', () => {
  const summary =
    'Prices fell by 12 % in 2023 [1]. See https://www.a.example/x. Loans are rare in towns [2].';
  expect(claimsOf(summary)).toEqual(['Prices fell by 12 % in 2023.', 'Loans are rare in towns.']);
  const taken = claimsOf('All prices were taken from https://b.example/x.');
  expect(taken).toEqual(['All prices were taken from b.example.']);
});

it('keeps the full stop of an abbreviation that ends a sentence', () => {
  const claims = claimsOf('The doors open at 8 a.m. [1]. Most guests leave at 5 p.m. Staff stay on [2].');
  expect(claims).toEqual(['The doors open at 8 a.m.', 'Most guests leave at 5 p.m.', 'Staff stay on.']);
});

it('reads German abbreviations within a sentence', () => {
  const sentence = 'Laut Studie, z. B. von Müller, sinkt der Verbrauch um ca. 3,5 kWh.';
  expect(claimsOf(`${sentence.slice(0, -1)} [1].`)).toEqual([sentence]);
});

it('holds no sign that a terminal obeys or nobody sees', () => {
  const summary =
    'Prices\u0000 fell\u001b[31m by 12\u202e % in 2023 [1]. Loans\u0008 are rare\u200b in towns [2].';
  const material = gathered([{ title: 'Costs\u0007', summary, citations: [A, B] }]);
  expect(claimsIn(material)).toEqual(['Prices fell by 12 % in 2023.', 'Loans are rare in towns.']);
  expect(material.subtopics[0]?.title).toBe('Costs');
});

it('leaves out what no sentence ends, and says where that stands', () => {
  const endless = 'walking helps adults and '.repeat(8_000);
  const summary = `Loans are rare in towns [1].\n\n${endless}[2].`;
  const material = gathered([{ summary, citations: [A, B] }]);
  expect(statementsOf(material)).toEqual(['Loans are rare in towns. [1]']);
  const message = expect.stringContaining('what begins on line 3') as string;
  expect(material.warnings).toEqual([{ code: 'summary-not-read', message }]);
});

it('reads a summary of 200,000 characters', () => {
  const fell = (_: unknown, at: number): string =>
    `In trial ${at} the mean fell by ${at % 17}.${at % 10} mmHg among ${at + 20} adults [${(at % 2) + 1}].`;
  const summary = Array.from({ length: 2_700 }, fell).join(' ').padEnd(200_000, '.');
  const material = gathered([{ summary, citations: [A, B] }]);
  expect(material.subtopics[0]?.findings.length).toBeGreaterThan(2_600);
});

it('tells what two subtopics say alike once, and has both of one title', () => {
  const summary = 'Prices fell by 12 % in 2023 [1]. Loans are rare in towns [2].';
  const costs = { title: 'Costs', summary, citations: [A, B] };
  const material = gathered([costs, costs]);
  expect(material.subtopics.map(({ id }) => id)).toEqual(['subtopic-1', 'subtopic-2']);
  expect(material.subtopics.map(({ findings }) => findings.length)).toEqual([2, 0]);
  expect(Object.values(material.places).map((places) => places.length)).toEqual([2, 2]);
  expectSound(material, () => summary);
});

it('has no statement as sure as agreement that lists its sources for its whole', () => {
  const { subtopics } = gathered([
    { summary: 'Nobody knows what follows.', citations: [A, B] },
    { summary: 'Loans are rare in towns. Prices fell by 12 % in 2023 [1][2].', citations: [A, B] },
  ]);
  const told = subtopics.flatMap(({ findings }) => findings);
  expect(told.map(({ citations }) => citations.length)).toEqual([2, 2, 2]);
  expect(told.map(({ confidence }) => confidence >= 0.85)).toEqual([false, false, true]);
});
