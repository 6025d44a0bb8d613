import { gathered, statementsOf } from './subtopics-under-test';

const A = 'https://a.example/trial';
const B = 'https://b.example/review';
const C = 'https://c.example/cohort';
const SENTENCE = 'Walking lowered blood pressure by 4.5 mmHg in 120 adults';

const citing = (mark: string): [string, number[]][] =>
  statementsOf(gathered([{ summary: `${SENTENCE} ${mark}.`, citations: [A, B, C] }]));

describe('the forms in which a summary cites', () => {
  it.each([
    ['[2]', [1]],
    ['[1, 3]', [1, 2]],
    ['[1-3]', [1, 2, 3]],
    ['[1–3]', [1, 2, 3]],
    ['[3][1]', [1, 2]],
    ['【2】', [1]],
    [`[the review](${B})`, [1]],
    [`(${B})`, [1]],
    [`<${B}>`, [1]],
    ['[^2]', [1]],
  ])('%s leads to the numbers of the index', (mark, numbers) => {
    const [[, cited] = ['', []]] = citing(mark);
    expect(cited).toEqual(numbers);
  });

  it('numbers the sources as the summaries name them, then those that are only listed', () => {
    const { sources } = gathered([{ summary: `${SENTENCE} [3].`, citations: [A, B, C] }]);
    expect(sources.map(({ n, url }) => [n, url])).toEqual([
      [1, C],
      [2, A],
      [3, B],
    ]);
  });

  it('leads a range to what lies within it, however long the list is', () => {
    const citations = Array.from({ length: 2_000 }, (_, at) => `https://${at + 1}.example/`);
    const { sources } = gathered([{ summary: `${SENTENCE} [1998-2000].`, citations }]);
    const first = sources.slice(0, 3).map(({ url }) => url);
    expect(first).toEqual(['https://1998.example/', 'https://1999.example/', 'https://2000.example/']);
  });

  it('reads a number that is written without a space', () => {
    expect(citing('')[0]?.[1]).toEqual([1, 2, 3]);
    const found = statementsOf(gathered([{ summary: `${SENTENCE}[2].`, citations: [A, B] }]));
    expect(found).toEqual([[`${SENTENCE}.`, [1]]]);
  });
});
