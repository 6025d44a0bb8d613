import { withUncheckedMarks } from '../../src/report/claims';

const marked = (markdown: string, ...open: string[]): string =>
  withUncheckedMarks(
    markdown,
    open.map((text) => {
      const start = markdown.indexOf(text);
      return { start, end: start + text.length, verdict: 'unchecked' as const };
    }),
  );

test.each([
  [
    'a sentence, before its stop',
    'Costs rose [1]. They fell [2].',
    'Costs rose [1].',
    'Costs rose [1] (unchecked). They fell [2].',
  ],
  [
    'an item without a stop',
    '- Costs rose [1]\n- Two',
    'Costs rose [1]',
    '- Costs rose [1] (unchecked)\n- Two',
  ],
  [
    'a row, in its last cell',
    '| Hahn | 12 [1] |\n| All | 9 |',
    '| Hahn | 12 [1] |',
    '| Hahn | 12 [1] (unchecked) |\n| All | 9 |',
  ],
])('%s', (_what, markdown, open, expected) => {
  expect(marked(markdown, open)).toBe(expected);
});

test('several of one text', () => {
  expect(marked('A a [1]. B b [2].', 'A a [1].', 'B b [2].')).toBe(
    'A a [1] (unchecked). B b [2] (unchecked).',
  );
});
