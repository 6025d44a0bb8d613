import { splitAttributions } from '../../../src/sources/observations/split-attributions';

const of = (text: string): unknown[] =>
  splitAttributions(text).map(({ text: said, source, pages }) => [said, source, pages?.from ?? null]);

it.each([
  [
    'DAIL-SQL reaches 89.2% execution accuracy. (Source: DAIL-SQL_paper.pdf, Page 3)',
    [['DAIL-SQL reaches 89.2% execution accuracy.', 'DAIL-SQL_paper.pdf', 3]],
  ],
  [
    'DAIL-SQL uses demonstrations (DAIL-SQL_paper.pdf, Page 3). The algorithm ranks examples (DAIL-SQL_paper.pdf, Page 5).',
    [
      ['DAIL-SQL uses demonstrations.', 'DAIL-SQL_paper.pdf', 3],
      ['The algorithm ranks examples.', 'DAIL-SQL_paper.pdf', 5],
    ],
  ],
  [
    'OpenAI released GPT-4.5 Turbo [Source: https://openai.com/blog/gpt-4-5-turbo].',
    [['OpenAI released GPT-4.5 Turbo.', 'https://openai.com/blog/gpt-4-5-turbo', null]],
  ],
  [
    'It is DAIL-SQL (DAIL-SQL_paper.pdf), which was made in Leeds [https://scholar.google.com/x].',
    [
      ['It is DAIL-SQL, which was made in Leeds.', 'DAIL-SQL_paper.pdf', null],
      ['It is DAIL-SQL, which was made in Leeds.', 'https://scholar.google.com/x', null],
    ],
  ],
  [
    'One thing holds. So does another. (Source: a.pdf, Page 1; b.pdf, Page 2)\n\nThis is the agent’s own.',
    [
      ['One thing holds. So does another.', 'a.pdf', 1],
      ['One thing holds. So does another.', 'b.pdf', 2],
      ['This is the agent’s own.', null, null],
    ],
  ],
])('reads places as those of the sentences before them: %s', (text, expected) => {
  expect(of(text)).toEqual(expected);
});

it.each([
  'Its accuracy (89.2%) is high, see [the page](https://example.org/a.pdf) and (Page 3).',
  'It was tried (sources: none).\n\n- A list (of things)\n- [1]',
])('leaves a text that gives no place as it is: %s', (text) => {
  expect(splitAttributions(text)).toEqual([{ text, source: null, pages: null }]);
});
