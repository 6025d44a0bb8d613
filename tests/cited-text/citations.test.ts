import { z } from 'zod';
import { parsePieces } from '../../src/cited-text/markdown/pieces';
import { readCitedReport } from '../../src/cited-text/read-cited-report';
import { describeWithData, sharedRecords } from '../support/shared-data';
import counted from './counted-reports.json';

describe('citations of a report', () => {
  const SOURCES = `
## Sources

[1] https://a.example/one - The first text
[2] https://a.example/two - The second text
[3] https://a.example/three - The third text
`;

  /** What a text cites: form, label and the address of the entry, `-` where there is none. */
  function cited(body: string, sources = SOURCES): string[] {
    const { citations, entries } = readCitedReport(`${body}\n${sources}`);
    return citations.map(({ form, label, entry }) => {
      const url = entry === null ? '-' : (entries[entry]?.url ?? entries[entry]?.text ?? '');
      return `${form} ${label} ${url.replace('https://a.example/', '')}`;
    });
  }

  describe('citations by number', () => {
    it.each([
      ['Rice feeds many [1].', ['1']],
      ['Rice feeds many.[1]', ['1']],
      ['Rice feeds many [1-3].', ['1', '2', '3']],
      ['Rice feeds many [1–3].', ['1', '2', '3']],
      ['Rice feeds many [1]–[3].', ['1', '2', '3']],
      ['Rice feeds many [1, 3].', ['1', '3']],
      ['Rice feeds many [1; 3].', ['1', '3']],
      ['Rice feeds many [1][3].', ['1', '3']],
      ['Rice feeds many [2, p. 14].', ['2']],
      ['Rice feeds many \\[1\\].', ['1']],
      ['Rice feeds many [[1]](#sources).', ['1']],
      ['Rice feeds many [1](#ref-1).', ['1']],
      ['Rice feeds **many [1]**.', ['1']],
      ['水稻养活了许多人[1]。', ['1']],
      ['水稻养活了许多人。【1】', ['1']],
      ['水稻养活了许多人［1］［3］。', ['1', '3']],
      ['水稻养活了许多人[1，3]。', ['1', '3']],
      ['水稻养活了许多人[1、2]。', ['1', '2']],
      ['Rice feeds many【2†L10-L12】.', ['2']],
      ['Rice feeds many people.¹', ['1']],
      ['Rice feeds many people¹,².', ['1', '2']],
      ['Rice feeds many people<sup>1</sup>.', ['1']],
      ['Rice feeds many people<sup>[1]</sup>.', ['1']],
      ['Rice feeds many people<sup>1,3</sup>.', ['1', '3']],
      ['| Crop | Yield |\n|---|---|\n| Rice | high [2] |', ['2']],
      ['> Rice feeds\n> many [3].', ['3']],
      ['- Rice feeds many [1]\n- Wheat too [2]', ['1', '2']],
      ['### Rice [2]', ['2']],
      ['Rice feeds many [Source 1, Source 3].', ['1', '3']],
      ['Rice feeds many [Ref. 2].', ['2']],
      ['Rice feeds many[9].', ['9']],
      ['The array a[9] is short, and xs_all[9] too [2].', ['2']],
    ])('are read in %j', (body, labels) => {
      const { citations } = readCitedReport(`${body}\n${SOURCES}`);
      expect(citations.map(({ label }) => label)).toEqual(labels);
      expect(citations.filter(({ form }) => form !== 'number')).toEqual([]);
    });

    it.each([
      ['lead to the entry of their list', 'Rice feeds many [2].', 'number 2 two'],
      ['have no entry where the list has no such number', 'Rice feeds many [9].', 'number 9 -'],
      ['keep a falling range as the name that it is', 'Gold rises [41-23].', 'number 41-23 -'],
      ['do not expand a range of thousands', 'Rice feeds many [1-100000].', 'number 1-100000 -'],
    ])('%s', (_what, body, citation) => {
      expect(cited(body)).toEqual([citation]);
    });
  });

  describe('text that only looks like a citation', () => {
    it.each([
      '- [x] done\n- [ ] open',
      '```\nx = list[1]\n```',
      'Call `list[1]` first.',
      '![Figure [1]](https://a.example/figure.png)',
      'Hazards rose (95% CI [1.2, 3.4]).',
      'Hazards rose (95% CI [1, 3]).',
      'Values lie in [0, 1].',
      'A vector x = [1, 2, 3].',
      'It began in [2019].',
      'It lasted [2019-2021].',
      'The element a[7] is read.',
      'He said that [they] agreed.',
      'See [the heading](#sources).',
      'A room of 20 m² and an R² of 0.9.',
      'Mix PO₄³⁻ with 10³ units.',
      'Area is in m<sup>2</sup>.',
      '学习模型的R²为0.9。',
      '[References would be inserted here]',
      '据《世界水稻种植指南（2022）》，产量上升。',
    ])('is none: %j', (body) => {
      expect(cited(body)).toEqual([]);
    });
  });

  describe('marks within quotations', () => {
    it('are ignored where a citation follows the quotation', () => {
      const quoting =
        'Ito (2019) reports: “Rice feeds many \\[3\\], as maize does \\[41, 42\\]” [1] (High confidence).';
      expect(cited(quoting)).toEqual(['number 1 one']);
      const apart = cited('Ito reports: “Rice feeds many [3].” Maize does not [1].');
      expect(apart).toEqual(['number 3 three', 'number 1 one']);
    });

    it('are ignored where the source in brackets follows the quotation', () => {
      const named = (name: string): string[] => cited(`“Rice feeds many \\[3\\]” (${name}) [1].`);
      expect(named('Ito 2019, in old people')).toEqual(['number 1 one']);
      expect(named('Rice (Oryza sativa) and health')).toEqual(['number 1 one']);
      expect(named('others found the opposite')).toEqual(['number 3 three', 'number 1 one']);
      expect(named('The panel disagreed.')).toEqual(['number 3 three', 'number 1 one']);
    });
  });

  describe('citations by footnote', () => {
    it('lead to the note', () => {
      const notes = '[^a]: Lee, Rice. https://b.example\n[^2]: Wheat.';
      const { citations, entries } = readCitedReport(`Rice feeds many.[^a] Wheat too.[^2]\n\n${notes}`);
      const told = citations.map(({ form, label, entry }) => `${form} ${label}: ${entry}`);
      expect(told).toEqual(['footnote a: 0', 'footnote 2: 1']);
      expect(entries).toMatchObject([
        { origin: 'footnote', label: 'a', url: 'https://b.example' },
        { origin: 'footnote', label: '2', url: null },
      ]);
    });

    it('have no entry without a note', () => {
      expect(cited('Rice feeds many.[^7]')).toEqual(['footnote 7 -']);
    });
  });

  describe('citations by address', () => {
    const TITLED = '[[The Site](https://a.example/two "Title")]';
    const ANCHOR = '<a href="https://a.example/two">feeds many</a>';

    it.each([
      ['Rice feeds many [https://a.example/two].', 'address', '[https://a.example/two]'],
      ['Rice feeds many <https://a.example/two>.', 'address', '<https://a.example/two>'],
      ['Rice feeds many (https://a.example/two).', 'address', '(https://a.example/two)'],
      ['Rice feeds many https://a.example/two.', 'address', 'https://a.example/two'],
      ['水稻养活了许多人（https://a.example/two）。', 'address', '（https://a.example/two）'],
      ['水稻养活了许多人https://a.example/two，如此。', 'address', 'https://a.example/two'],
      ['Rice [feeds many](https://a.example/two).', 'link', '[feeds many](https://a.example/two)'],
      [
        'Rice feeds many ([a.example](https://a.example/two)).',
        'link',
        '([a.example](https://a.example/two))',
      ],
      [`Rice feeds many ${TITLED}.`, 'link', TITLED],
      [`Rice ${ANCHOR}.`, 'link', ANCHOR],
    ])('lead to the entry of the same address: %s', (body, form, written) => {
      const { citations, entries } = readCitedReport(`${body}\n${SOURCES}`);
      expect(citations).toMatchObject([{ form, written }]);
      expect(entries[citations[0]?.entry ?? -1]?.label).toBe('2');
    });

    it('get an entry for each address that no list has', () => {
      const url = 'https://b.example/r';
      const { citations, entries } = readCitedReport(`Rice [feeds](${url}) many. It [grows](${url}).`);
      expect(citations.map(({ entry }) => entry)).toEqual([0, 0]);
      expect(entries).toMatchObject([{ origin: 'link', url, title: 'feeds', label: null }]);
    });

    it('follow the definition of a reference link', () => {
      const followed = cited('Rice [feeds many][r].', '\n[r]: https://a.example/two "The second"');
      expect(followed).toEqual(['link https://a.example/two two']);
    });

    it('are numbers where a definition has a number', () => {
      const numbers = cited('Rice [1][2].', '[1]: https://a.example/one\n[2]: https://a.example/two');
      expect(numbers).toEqual(['number 1 one', 'number 2 two']);
    });
  });
});

describe('reports of which citations were counted by hand', () => {
  const FILE = 'reports/claude37-dev.jsonl';
  const Record = z.object({ id: z.number(), article: z.string() });

  describeWithData([FILE], 'reports', () => {
    it.each(counted.reports)(
      'has as many citations and entries: report $id',
      ({ id, citations, entries }) => {
        const article = sharedRecords(FILE, Record).find((record) => record.id === id)?.article ?? '';
        const report = readCitedReport(article);
        const resolved = report.citations.filter(
          ({ entry }) => entry !== null && report.entries[entry]?.origin === 'list',
        );
        expect(report.citations).toHaveLength(citations);
        expect(resolved).toHaveLength(citations);
        expect(report.entries).toHaveLength(entries);
      },
    );
  });
});

describe('any text', () => {
  /** Characters of a text of one sign. */
  const CHARS = 30_000;

  it.each([
    ['opening brackets', '['.repeat(CHARS)],
    ['closing brackets', ']'.repeat(CHARS)],
    ['nested brackets', '['.repeat(CHARS / 2) + ']'.repeat(CHARS / 2)],
    ['citations', '[1]'.repeat(CHARS / 3)],
    ['backticks of many lengths', Array.from({ length: 600 }, (_, at) => '`'.repeat(at)).join(' ')],
    ['quotation marks', '>'.repeat(CHARS)],
    ['angle brackets', '<a '.repeat(CHARS / 3)],
    ['links that do not end', '[a]('.repeat(CHARS / 4)],
    ['signs of emphasis', '*a_ '.repeat(CHARS / 4)],
    ['addresses', 'https://a.example/b '.repeat(CHARS / 20)],
    ['years', '(Lee, 2019; '.repeat(CHARS / 12)],
    ['markers', '- '.repeat(CHARS / 10)],
    ['white space', `a${' '.repeat(CHARS)}b`],
  ])('of nothing but %s is read', (_kind, markdown) => {
    const report = readCitedReport(markdown);
    const wrong = report.citations.filter(
      ({ start, end, written }) => markdown.slice(start, end) !== written,
    );
    expect(wrong).toEqual([]);
    expect(report.citations.length).toBeLessThanOrEqual(markdown.length / 3);
  });

  it('is empty where the text is empty', () => {
    expect(readCitedReport('')).toEqual({ statements: [], citations: [], entries: [], unread: [] });
  });
});

describe('parsePieces', () => {
  /** Of a parser whose time grows with the square of what it is given. */
  const LONGEST_PIECE = 165_000;
  const MOST_LINES = 5_000;
  const nested = Array.from({ length: 1_500 }, (_, depth) => `${'  '.repeat(depth)}- item\n`).join('');

  test.each(
    Object.entries({
      'blank lines': '\n'.repeat(200_000),
      'one paragraph of short lines': 'Rice [1].\n'.repeat(50_000),
      'headings without blank lines': '# a\n'.repeat(100_000),
      'underlined headings': 'a\n=\n'.repeat(100_000),
      items: '- item [1]\n'.repeat(50_000),
      definitions: '[a]: b\n'.repeat(80_000),
      'rows of a table': '| a | b [1] |\n'.repeat(40_000),
      'blocks of code': '```\nx\n```\n'.repeat(50_000),
      'quotations within each other': Array.from(
        { length: 900 },
        (_, depth) => `${'>'.repeat(depth)} x\n`,
      ).join(''),
      'lists within each other': nested,
    }),
  )('cuts %s into pieces', (_what, text) => {
    const pieces: string[] = [];
    parsePieces(text, (piece, offset) => {
      expect(offset).toBe(pieces.reduce((sum, { length }) => sum + length, 0));
      pieces.push(piece);
      return [];
    });
    const lines = pieces.map((piece) => piece.split('\n').length);
    expect(pieces.reduce((sum, { length }) => sum + length, 0)).toBe(text.length);
    expect(pieces.filter(({ length }) => length > LONGEST_PIECE)).toEqual([]);
    expect(lines.filter((count) => count > MOST_LINES)).toEqual([]);
  });
});
