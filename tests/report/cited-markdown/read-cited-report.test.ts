import { z } from 'zod';
import { parsePieces } from '../../../src/report/cited-markdown/markdown-tree';
import { readCitedReport } from '../../../src/report/cited-markdown/read-cited-report';
import { describeWithData, sharedRecords } from '../../support/shared-data';
import counted from './counted-reports.json';
import cases from './link-words.json';

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
      ['Rice feeds 10<sup>3</sup> people.<sup>1</sup> It grows on 12 m².¹', ['1', '1']],
      ['Rice feeds many [source: 2].', ['2']],
      ['Rice feeds many.[¹](https://a.example/one) It grows.[²](#sources)', ['1', '2']],
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

describe('statements', () => {
  const SOURCES =
    '\n\n## Sources\n\n[1] https://a.example/one\n[2] https://a.example/two\n[3] https://a.example/three\n';

  /** Each statement, and the labels that it cites behind an arrow. */
  function stated(body: string): string[] {
    const { statements, citations } = readCitedReport(body + SOURCES);
    return statements.map(({ plain, citations: places }) =>
      [plain, ...places.map((at) => citations[at]?.label ?? '')].join(' → '),
    );
  }

  const ONE = '[One](https://a.example/one)';
  const TWO = '[Two](https://a.example/two)';
  const BOTH_LINKED = 'https://a.example/one → https://a.example/two';
  const QUOTED = '“Rice and wheat.” (2012) reports “Rice feeds many. Wheat too.”';

  it.each([
    ['Rice feeds many [1]. Wheat too [2].', ['Rice feeds many. → 1', 'Wheat too. → 2']],
    [`${QUOTED} [1], and so on. More follows [2].`, [`${QUOTED}, and so on. → 1`, 'More follows. → 2']],
    [
      'It opens “and never closes. Wheat too [1]. “Rice” feeds many [2].',
      ['It opens “and never closes.', 'Wheat too. → 1', '“Rice” feeds many. → 2'],
    ],
    ['Rice feeds many.[1] Wheat too. [2]', ['Rice feeds many. → 1', 'Wheat too. → 2']],
    ['Rice feeds many. Wheat too. [1][2]', ['Rice feeds many.', 'Wheat too. → 1 → 2']],
    ['水稻养活许多人[1]。小麦也是。[2]', ['水稻养活许多人。 → 1', '小麦也是。 → 2']],
    ['水稻养活许多人！[1]小麦也是？', ['水稻养活许多人！ → 1', '小麦也是？']],
    ['米は多くの人を養う。[1]小麦もそうだ。', ['米は多くの人を養う。 → 1', '小麦もそうだ。']],
    ['- Rice feeds many [1]\n- Wheat too', ['Rice feeds many → 1', 'Wheat too']],
    ['| Crop | Yield |\n|---|---|\n| Rice | high [2] |\n| Wheat | low |', ['Rice | high → 2', 'Wheat | low']],
    ['Rice **feeds** `many` people &amp; *birds* [1].', ['Rice feeds many people & birds. → 1']],
    ['Rice [feeds many](https://a.example/one).', ['Rice feeds many. → https://a.example/one']],
    [`Rice feeds many (${ONE}, ${TWO}).`, [`Rice feeds many (One, Two). → ${BOTH_LINKED}`]],
    ['Rice feeds many (see [1]).', ['Rice feeds many. → 1']],
    ['Rice feeds many [1], birds [1] and mice [2].', ['Rice feeds many, birds and mice. → 1 → 2']],
    ['Rice feeds many.\n\n[1][2]', ['Rice feeds many. → 1 → 2']],
    ['Rice feeds many.\n\n```\nno = statement[1]\n```', ['Rice feeds many.']],
    ['# Rice\n\n**A part**\n\nRice feeds many.', ['Rice feeds many.']],
    ['Rice feeds 2*3 people of snake_case.', ['Rice feeds 2*3 people of snake_case.']],
  ])('are read from %j', (body, statements) => {
    expect(stated(body)).toEqual(statements);
  });

  it('have the offsets of the written text with its marks', () => {
    const written = ['Rice **feeds many**.[1]', `Wheat (${TWO}).`];
    const markdown = `${written.join(' ')}\n`;
    const { statements } = readCitedReport(markdown);
    expect(statements.map(({ start, end }) => markdown.slice(start, end))).toEqual(written);
  });

  it('have their line and heading', () => {
    const { statements } = readCitedReport('Before.\n\n# Rice\n\nFeeds many.\n\n**Wheat**\n\nToo.\n');
    const places = statements.map(({ line, heading }) => `${line}: ${heading}`);
    expect(places).toEqual(['1: null', '5: Rice', '9: Wheat']);
  });
});

describe('words of links', () => {
  interface LinkCase {
    side: string;
    text: string;
  }

  const LINK = /\[([^\]]+)\]\([^)]+\)/g;

  function plainOf(text: string): string {
    return readCitedReport(text)
      .statements.map(({ plain }) => plain)
      .join(' ');
  }

  /** The words of its links are there where they are part of the sentence, and none of them where they are not. */
  function isRight({ side, text }: LinkCase): boolean {
    const plain = plainOf(text);
    const words = [...text.matchAll(LINK)].map(([, told = '']) => told);
    return words.every((told) => plain.includes(told) === (side === 'part'));
  }

  describe('links at the end of a clause', () => {
    // Who keeps them always is right in as many as are part of the sentence: 25 of 46 and 10 of 20.
    it.each([
      ['development', cases.development, { kept: 25, right: 43, lost: 1 }],
      ['held out', cases.heldOut, { kept: 10, right: 18, lost: 0 }],
    ])('are part of the sentence or a citation: %s', (_name, some: readonly LinkCase[], figures) => {
      const parts = some.filter(({ side }) => side === 'part');
      expect(parts).toHaveLength(figures.kept);
      expect(some.filter(isRight).length).toBeGreaterThanOrEqual(figures.right);
      expect(parts.filter((one) => !isRight(one)).length).toBeLessThanOrEqual(figures.lost);
    });

    it('are citations where several name their sources', () => {
      const said = 'Rents rose by 9 % in the capital';
      const bbc = '[BBC](https://www.bbc.co.uk/news/rents)';
      const guardian = '[The Guardian](https://www.theguardian.com/rents)';
      expect(plainOf(`${said} ${bbc}, ${guardian}.`)).toBe(`${said}.`);
      expect(plainOf(`${said} ${bbc}; [tenants](https://www.theguardian.com/rents).`)).toContain(
        'BBC; tenants',
      );
    });
  });

  describe('a written address', () => {
    it.each([
      ['See https://www.iea.org/ratios for the ratios by country.', 'See iea.org for the ratios by country.'],
      ['All of the figures come from https://www.iea.org/ratios.', 'All of the figures come from iea.org.'],
      ['https://www.iea.org/ratios tells the ratios by country.', 'iea.org tells the ratios by country.'],
      ['Prices were taken from [iea.org](https://www.iea.org/x).', 'Prices were taken from iea.org.'],
      ['Costs fell by 4 % in a year https://www.iea.org/ratios.', 'Costs fell by 4 % in a year.'],
      ['Costs fell by 4 % (https://www.iea.org/ratios) in a year.', 'Costs fell by 4 % in a year.'],
      ['Costs fell by 4 % in a year [iea.org](https://www.iea.org/x).', 'Costs fell by 4 % in a year.'],
    ])('becomes its site where the sentence needs it: %s', (text, plain) => {
      expect(plainOf(text)).toBe(plain);
      expect(readCitedReport(text).citations).toHaveLength(1);
    });
  });
});

describe('parts that are not read', () => {
  const LIST = '## References\n\n1. Rice https://a.example/one\n2. Wheat https://a.example/two\n';

  function unread(markdown: string): string[] {
    return readCitedReport(markdown).unread.map(({ kind, line }) => `${kind} ${line}`);
  }

  test.each([
    ['code that nothing closes', `Rice feeds many [1].\n\n\`\`\`py\nprint(1)\n\n${LIST}`, ['open-code 3']],
    ['code closed by fewer signs', `Rice [1].\n\n~~~~\nx\n~~~\n\n${LIST}`, ['open-code 3']],
    ['all of a report as code', `\`\`\`markdown\nRice feeds many [1].\n\n${LIST}\`\`\`\n`, ['code 1']],
    ['HTML that cites', `<div>\nRice feeds many [1].\n</div>\n\n${LIST}`, ['html 1']],
  ])('are reported: %s', (_kind, markdown, expected) => {
    expect(unread(markdown)).toEqual(expected);
  });

  test.each([
    ['code that is closed', `Rice [1].\n\n\`\`\`py\nprint(a[1])\n\`\`\`\n\n${LIST}`],
    ['code in a quotation', `> \`\`\`\n> x[1]\n> \`\`\`\n\nRice [1].\n\n${LIST}`],
    ['indented code', `Rice [1].\n\n    x = a[1]\n\n${LIST}`],
    ['HTML without citations', `<div align="center">\nRice\n</div>\n\nRice [1].\n\n${LIST}`],
    ['code with Windows line ends', `Rice [1].\r\n\r\n\`\`\`\r\nx\r\n\`\`\`\r\n\r\nWheat [2].\r\n`],
    ['an empty fence at the end', `Rice [1].\n\n${LIST}\n\`\`\`\n`],
  ])('do not include %s', (_kind, markdown) => {
    expect(unread(markdown)).toEqual([]);
  });

  test('a list of sources in code is read below its heading', () => {
    const urls = ['https://a.example/one', 'https://a.example/two'];
    const list = urls.map((url, at) => `[${at + 1}] ${url}\n`).join('');
    const markdown = `Rice [1]. Wheat [2].\n\n## References\n\n\`\`\`\n${list}\`\`\`\n`;
    const { citations, entries } = readCitedReport(markdown);
    expect(citations.map(({ entry }) => entries[entry ?? -1]?.url)).toEqual(urls);
    expect(unread(markdown)).toEqual([]);
  });
});
