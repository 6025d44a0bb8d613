import { readCitedReport } from '../../src/cited-text/read-cited-report';
import cases from './link-words.json';

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
