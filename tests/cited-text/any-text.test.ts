import { readCitedReport } from '../../src/cited-text/read-cited-report';
import type { CitedReport } from '../../src/cited-text/cited-report';
import { randomFrom } from '../support/random';

/** Pieces of Markdown, well formed and broken, from which texts are drawn. */
const SENTENCES = [
  'Rice feeds many people',
  '水稻养活许多人',
  ' (Lee, 2019)',
  'Lee et al. (2020)',
  '。',
  '. ',
  '! ',
];
const MARKS = [
  ' [1]',
  '[1-3]',
  '[1, 2]',
  '[^a]',
  '【1】',
  '［2］',
  '¹',
  '²,³',
  '<sup>1</sup>',
  '[2]–[9]',
  '-',
  '–',
];
const TOO_LARGE = ['[1-100000]', '[99999999999]'];
const BRACKETS = [
  '[',
  ']',
  '(',
  ')',
  '![',
  '](',
  '<',
  '>',
  '<!--',
  '-->',
  '</a>',
  '<a href="https://a.example">',
];
const ADDRESSES = ['](https://a.example/b)', 'https://a.example/c', '<https://a.example/d>'];
const LISTS = [
  '## References\n',
  '参考文献：\n',
  '[1] https://a.example/e - A title\n',
  '[2]: https://a.example/f\n',
];
const BLOCKS = [
  '\n> ',
  '\n',
  '\n\n',
  '\n- ',
  '\n1. ',
  '\n    ',
  '\n# ',
  '[^a]: a note\n',
  '```\n',
  '~~~',
  '`',
  '**',
  '_',
];
const ROWS = ['| a | b |\n|---|---|\n| c | d [1] |\n'];
const SIGNS = [
  '&amp;',
  '&#0;',
  '\\',
  '\\[',
  '\u0000',
  '\ud800',
  '\udc00',
  '\ufeff',
  '\r\n',
  '\t',
  '\ufffc',
  '\u2028',
];
const PIECES = [SENTENCES, MARKS, TOO_LARGE, BRACKETS, ADDRESSES, LISTS, BLOCKS, ROWS, SIGNS].flat();

const SEEDS = Array.from({ length: 400 }, (_, at) => at + 1);

function drawn(seed: number): string {
  const random = randomFrom(seed);
  const length = 1 + Math.floor(random() * 60);
  const text = Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)] ?? '').join('');
  // Some are cut off in the middle of whatever stands there.
  return random() < 0.3 ? text.slice(0, Math.floor(random() * text.length)) : text;
}

/** What is wrong in what was read, in words. */
function faults(markdown: string, { statements, citations, entries }: CitedReport): string[] {
  const holds = (what: string, isSo: boolean): string[] => (isSo ? [] : [what]);
  return [
    ...[...statements, ...citations, ...entries].flatMap(({ start, end, line }) => [
      ...holds('an offset', 0 <= start && start <= end && end <= markdown.length),
      ...holds('a line', line === markdown.slice(0, start).split('\n').length),
    ]),
    ...citations.flatMap(({ start, end, written, label, entry }) => [
      ...holds(`written: ${written}`, markdown.slice(start, end) === written),
      ...holds(`entry of ${written}`, entry === null || entries[entry] !== undefined),
      ...holds(`label ${label} of ${written}`, comesFrom(label, written)),
    ]),
    ...statements.flatMap(({ plain, citations: places }) => [
      ...holds('an empty statement', plain !== ''),
      ...places.flatMap((place) => holds(`citations of ${plain}`, citations[place] !== undefined)),
    ]),
  ];
}

/** It stands in what is written, or between two numbers of it. */
function comesFrom(label: string, written: string): boolean {
  const plain = written.normalize('NFKC').replaceAll('&amp;', '&');
  if (plain.includes(label.normalize('NFKC'))) return true;
  const numbers = (plain.match(/\d+/g) ?? []).map(Number);
  if (/^\d+$/.test(label))
    return numbers.some((first) => first <= Number(label)) && numbers.some((last) => last >= Number(label));
  return label.split(/[\s,，]+/).every((word) => plain.includes(word)) || /^https?:/.test(label);
}

describe('any text', () => {
  it('is read with offsets that hold and labels that are written', () => {
    for (const seed of SEEDS) {
      const markdown = drawn(seed);
      const found = { markdown, faults: faults(markdown, readCitedReport(markdown)) };
      expect(found).toEqual({ markdown, faults: [] });
    }
  });

  it.each([
    ['opening brackets', '['.repeat(200_000)],
    ['closing brackets', ']'.repeat(200_000)],
    ['nested brackets', '['.repeat(100_000) + ']'.repeat(100_000)],
    ['citations', '[1]'.repeat(66_000)],
    ['backticks of many lengths', Array.from({ length: 600 }, (_, at) => '`'.repeat(at)).join(' ')],
    ['quotation marks', '>'.repeat(200_000)],
    ['angle brackets', '<a '.repeat(66_000)],
    ['links that do not end', '[a]('.repeat(50_000)],
    ['signs of emphasis', '*a_ '.repeat(50_000)],
    ['addresses', 'https://a.example/b '.repeat(10_000)],
    ['years', '(Lee, 2019; '.repeat(16_000)],
    ['markers', '- '.repeat(20_000)],
    ['white space', `a${' '.repeat(200_000)}b`],
  ])('of 200 kB of %s is read', (_kind, markdown) => {
    const report = readCitedReport(markdown);
    const wrong = report.citations.filter(
      ({ start, end, written }) => markdown.slice(start, end) !== written,
    );
    expect(wrong).toEqual([]);
    expect(report.citations.length).toBeLessThanOrEqual(markdown.length / 3);
  });

  it('that is empty has nothing', () => {
    expect(readCitedReport('')).toEqual({ statements: [], citations: [], entries: [], unread: [] });
  });
});
