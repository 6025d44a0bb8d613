import { gathered, statedIn, urlsOf } from './subtopics-under-test';

const A = 'https://a.example/trial';
const B = 'https://b.example/review';
const C = 'https://c.example/cohort';
const SENTENCE = 'Walking lowered blood pressure by 4.5 mmHg in 120 adults';

const citing = (mark: string): string[] => statedIn(`${SENTENCE} ${mark}.`, [A, B, C]);

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
    // The words of a link stand in the sentence.
    expect(citing(mark)[0]).toMatch(new RegExp(`^${SENTENCE}.* \\[${numbers.join(', ')}\\]$`));
  });

  it('numbers the sources as the summaries name them, then those that are only listed', () => {
    const material = gathered([{ summary: `${SENTENCE} [3].`, citations: [A, B, C] }]);
    expect(urlsOf(material)).toEqual([C, A, B]);
    expect(material.sources.map(({ n }) => n)).toEqual([1, 2, 3]);
  });

  it('leads a range to what lies within it, however long the list is', () => {
    const citations = Array.from({ length: 2_000 }, (_, at) => `https://${at + 1}.example/`);
    const material = gathered([{ summary: `${SENTENCE} [1998-2000].`, citations }]);
    expect(urlsOf(material).slice(0, 3)).toEqual(citations.slice(1_997));
  });

  it('reads a number that is written without a space', () => {
    expect(citing('')).toEqual([`${SENTENCE}. [1, 2, 3]`]);
    expect(statedIn(`${SENTENCE}[2].`, [A, B])).toEqual([`${SENTENCE}. [1]`]);
  });
});
