import { readCitedReport } from '../../src/cited-text/read-cited-report';
import type { CitedReport } from '../../src/cited-text/cited-report';
import { randomFrom } from '../support/random';

/** Pieces of Markdown, well formed and broken, from which texts are drawn. */
const PIECES = [
  'Rice feeds many people',
  ' [1]',
  '[1-3]',
  '[1, 2]',
  '[^a]',
  '[^a]: a note\n',
  '[',
  ']',
  '(',
  ')',
  '![',
  '](',
  '](https://a.example/b)',
  'https://a.example/c',
  '<https://a.example/d>',
  '<sup>1</sup>',
  '<a href="https://a.example">',
  '</a>',
  '<',
  '>',
  '\n> ',
  '`',
  '```\n',
  '~~~',
  '**',
  '_',
  '\n',
  '\n\n',
  '\n- ',
  '\n1. ',
  '\n    ',
  '\n# ',
  '## References\n',
  '参考文献：\n',
  '[1] https://a.example/e - A title\n',
  '[2]: https://a.example/f\n',
  '| a | b |\n|---|---|\n| c | d [1] |\n',
  '水稻养活许多人',
  '。',
  '【1】',
  '［2］',
  '¹',
  '²,³',
  ' (Lee, 2019)',
  'Lee et al. (2020)',
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
  '. ',
  '! ',
  '[1-100000]',
  '[99999999999]',
  '\ufffc',
  '-',
  '–',
  '[2]–[9]',
  '<!--',
  '-->',
  '\u2028',
];

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
      ...holds(
        `citations of ${plain}`,
        places.every((place) => citations[place] !== undefined),
      ),
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
      expect({ markdown, faults: faults(markdown, readCitedReport(markdown)) }).toEqual({
        markdown,
        faults: [],
      });
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
    expect(report.citations.every(({ start, end, written }) => markdown.slice(start, end) === written)).toBe(
      true,
    );
    expect(report.citations.length).toBeLessThanOrEqual(markdown.length / 3);
  });

  it('that is empty has nothing', () => {
    expect(readCitedReport('')).toEqual({ statements: [], citations: [], entries: [], unread: [] });
  });
});
