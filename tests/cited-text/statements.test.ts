import { readCitedReport } from '../../src/cited-text/read-cited-report';

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

describe('statements', () => {
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

  it('stand as they are written, with the marks behind them', () => {
    const written = ['Rice **feeds many**.[1]', `Wheat (${TWO}).`];
    const markdown = `${written.join(' ')}\n`;
    const { statements } = readCitedReport(markdown);
    expect(statements.map(({ start, end }) => markdown.slice(start, end))).toEqual(written);
  });

  it('know their line and the heading above', () => {
    const { statements } = readCitedReport('Before.\n\n# Rice\n\nFeeds many.\n\n**Wheat**\n\nToo.\n');
    const places = statements.map(({ line, heading }) => `${line}: ${heading}`);
    expect(places).toEqual(['1: null', '5: Rice', '9: Wheat']);
  });
});
