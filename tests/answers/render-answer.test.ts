import fc from 'fast-check';
import { citationsByDocument } from '../../src/answers/citations-by-document';
import { renderAnswer } from '../../src/answers/render-answer';
import { activeNodes } from '../support/active-nodes';
import { quoted } from '../support/findings';
import { claim, draft, passage, SUPPORTED } from './passages';

const DAIL = { document: 'DAIL-SQL_paper.pdf' };
const PASSAGES = [
  passage(1, 'dail', { ...DAIL, pages: { from: 5, to: 6 } }),
  passage(2, 'web', { document: 'A page', url: 'https://example.org/a' }),
  passage(3, 'dail', { ...DAIL, pages: { from: 3, to: 3 }, start: 100 }),
  passage(4, 'dail', { ...DAIL, start: 200 }),
];
const DRAFT = draft([claim('First [@P3].'), claim('Then both [@P1; @P3; @P2].'), claim('Last [@P4].')]);

test.each([
  ['numbered' as const, 'First [1]. Then both [1-3]. Last [4].'],
  ['passage' as const, 'First [1: p.3]. Then both [1: p.3][2: p.5-6][3]. Last [4].'],
  [
    'inline' as const,
    'First (DAIL-SQL_paper.pdf, Page 3). Then both (DAIL-SQL_paper.pdf, Page 3) (DAIL-SQL_paper.pdf, Pages 5-6)' +
      ' [Source: https://example.org/a]. Last (DAIL-SQL_paper.pdf).',
  ],
])('cites in the style %s, numbered by first appearance', (style, expected) => {
  const { markdown, claims, citations } = renderAnswer(DRAFT, PASSAGES, style);
  expect(markdown).toBe(expected);
  for (const { text, start, end } of claims) expect(markdown.slice(start, end)).toBe(text);
  expect(claims.map(({ citations: numbers }) => numbers)).toEqual([[1], [1, 2, 3], [4]]);
  expect(citations.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
  expect(citations.map(({ start }) => start)).toEqual([100, 0, 0, 200]);
  expect(citations.map(({ url }) => url)).toEqual([null, null, 'https://example.org/a', null]);
});

it.each([
  ['numbered' as const, 'First [1]. Then [2].'],
  ['passage' as const, 'First [1]. Then [2].'],
  ['inline' as const, 'First (talk.pptx, slide 4). Then [Source: https://example.org/a].'],
])('cites in the style %s what has no pages by the name of its place', (style, expected) => {
  const passages = [
    passage(1, 'talk', { document: 'talk.pptx', pages: { from: 4, to: 4, name: 'slide 4' } }),
    passage(2, 'web', {
      url: 'https://example.org/a',
      pages: { from: 1, to: 2, name: '“Methods” – “Results”' },
    }),
  ];
  const { markdown, citations } = renderAnswer(
    draft([claim('First [@P1].'), claim('Then [@P2].')]),
    passages,
    style,
  );
  expect(markdown).toBe(expected);
  expect(citations.map(({ pages }) => pages?.name)).toEqual(['slide 4', '“Methods” – “Results”']);
});

it('drops marks of passages that are not there, and leaves no hole in the numbers', () => {
  const { markdown, citations } = renderAnswer(draft([claim('A [@P9; @P2]. B [@P7]')]), PASSAGES, 'numbered');
  expect(markdown).toBe('A [1]. B ');
  expect(citations).toHaveLength(1);
});

it('marks as multi-source what a claim cites together with another document, and nothing else', () => {
  const { citations } = renderAnswer(DRAFT, PASSAGES, 'numbered');
  expect(citations.map(({ multiSource }) => multiSource)).toEqual([true, true, true, false]);
  const graph = [passage(1, 'a'), passage(2, 'g', { origin: 'graph' })];
  const alone = renderAnswer(draft([claim('A [@P1; @P2].')]), graph, 'numbered');
  expect(alone.citations.map(({ multiSource }) => multiSource)).toEqual([false, false]);
});

it('gives the flags of document 003’s own example: three passages are a range, two of one document are not', () => {
  const passages = ['gps', 'gps', 'gps', 'guide', 'guide'].map((id, at) => passage(at + 1, id));
  const example = draft([
    claim('The antenna operates at 1575.42 MHz [@P1] with 50 ohm impedance [@P3] and 3 dBi gain [@P2].'),
    claim('It must be mounted 10 cm from metal [@P4] and connected by RG-174 [@P5].'),
  ]);
  const flagsOf = (of: typeof example): unknown[] =>
    renderAnswer(of, passages, 'numbered').citations.map(({ multiSource }) => multiSource);
  expect(flagsOf(example)).toEqual([true, true, true, false, false]);
  const two = draft([claim('Both say so [@P3; @P4].'), claim('One [@P5].')]);
  expect(flagsOf(two)).toEqual([true, true, false]);
});

it('tells what a verdict rests on by offsets into the source, whichever an audit used', () => {
  const passages = [passage(1, 's', { text: 'It grew by 4 %.', start: 50, pages: { from: 2, to: 2 } })];
  const told = { n: 1, sourceId: 's', quote: 'grew by 4 %', start: 53, end: 64, page: 2 };
  for (const evidence of [quoted('s', 'grew by 4 %', 53), quoted('P1', 'grew by 4 %', 3)]) {
    const growth = draft([claim('Growth [@P1].', { ...SUPPORTED, evidence })]);
    expect(renderAnswer(growth, passages, 'numbered').claims[0]?.evidence).toEqual([told]);
  }
});

it('says of a claim that nobody audited that it is unchecked', () => {
  const { verdict: _none, ...unaudited } = claim('A [@P1].');
  const { claims } = renderAnswer(draft([unaudited]), PASSAGES, 'numbered');
  expect(claims[0]).toMatchObject({ verdict: 'unchecked', code: 'open' });
});

it('groups citations by document in the order in which they are first cited', () => {
  const { citations } = renderAnswer(draft([claim('A [@P2]. B [@P1; @P3]')]), PASSAGES, 'numbered');
  const groups = citationsByDocument(citations);
  expect(groups.map(({ document }) => document)).toEqual(['A page', 'DAIL-SQL_paper.pdf']);
  expect(groups.map(({ citations: own }) => own.map(({ n }) => n))).toEqual([[1], [2, 3]]);
});

it('lets no name or address of a source be active in Markdown, in no style', () => {
  const markup = [
    '[x](https://evil.example)',
    'a.pdf](https://evil.example',
    '<img src=x>.pdf',
    '![x](y).pdf',
  ];
  const names = [...markup, 'www.evil.example', 'evil.ai', '`code`', '**a**', 'a\n\n# b'];
  for (const style of ['numbered', 'passage', 'inline'] as const) {
    const passages = names.flatMap((document, at) => {
      const url = `https://example.org/${encodeURI(document)}](https://evil.example)`;
      return [
        passage(2 * at + 1, `s${at}`, { document, pages: { from: 1, to: 1 } }),
        passage(2 * at + 2, `t${at}`, { document, url }),
      ];
    });
    const cited = draft(passages.map(({ id }) => claim(`A [@${id}] b.`)));
    const { markdown } = renderAnswer(cited, passages, style);
    const active = activeNodes(markdown).filter((node) => !/example\.org/.test(JSON.stringify(node)));
    expect(active).toEqual([]);
  }
});

it('keeps offsets and numbers for any draft', () => {
  const ids = fc.array(
    fc.integer({ min: 1, max: 12 }).map((n) => `P${n}`),
    { minLength: 1, maxLength: 4 },
  );
  const sentence = fc
    .tuple(fc.stringMatching(/^[a-z ]{1,20}$/), ids)
    .map(([words, cited]) => claim(`${words} [@${cited.join('; @')}].`));
  const passages = Array.from({ length: 10 }, (_, at) => passage(at + 1, `s${at % 3}`, { start: at }));
  const style = fc.constantFrom('numbered', 'passage', 'inline');
  fc.assert(
    fc.property(fc.array(sentence, { maxLength: 8 }), style, (all, chosen) => {
      const { markdown, claims, citations } = renderAnswer(draft(all), passages, chosen);
      expect(claims).toHaveLength(all.length);
      for (const { text, start, end } of claims) expect(markdown.slice(start, end)).toBe(text);
      expect(citations.map(({ n }) => n)).toEqual(citations.map((_one, at) => at + 1));
      const cited = new Set(claims.flatMap(({ citations: numbers }) => numbers));
      expect(cited.size).toBe(citations.length);
    }),
  );
});
