import { readCitedReport } from '../../src/cited-text/read-cited-report';
import type { BibliographyEntry } from '../../src/cited-text/cited-report';

function entriesOf(markdown: string): BibliographyEntry[] {
  return readCitedReport(markdown).entries;
}

const BODY = '# Rice\n\nRice feeds many [1]. Wheat too [2].\n\n';

const ONE = 'https://a.example/one';
const TWO = 'https://a.example/two';

describe('a list of sources', () => {
  // @1 and @2 are the addresses.
  it.each(
    Object.entries({
      numbered: '## References\n\n1. Lee, K. Rice. @1\n2. Oka, A. Wheat. @2',
      'under a heading with attributes': '# References {#refs .unnumbered}\n\n1. Rice @1\n2. Wheat @2',
      'under a heading of words with one ending':
        '# Literatur- und Quellenverzeichnis\n\n1. Reis @1\n2. Weizen @2',
      'with a word before each number': '**Sources used:**\n- Source 1: @1\n- Source 2: @2',
      'with numbers in brackets': '## Sources\n\n[1] @1 - Rice\n[2] @2 - Wheat',
      'with numbers and a bracket': '## Works cited\n\n1) Rice @1\n2) Wheat @2',
      'of items with numbers in brackets': '## Sources\n\n- [1] Rice @1\n- [2] Wheat @2',
      'with bold numbers': '## Sources\n\n**[1]** Rice @1\n\n**[2]** Wheat @2',
      'of definitions': '[1]: @1 "Rice"\n[2]: @2 "Wheat"',
      'of numbers and colons': '## Sources\n\n[1]: @1 Rice of the world\n[2]: @2 Wheat',
      'under a line in bold': '**References**\n\n1. Rice @1\n2. Wheat @2',
      'under a line': 'References:\n[1] @1 - Rice\n[2] @2 - Wheat',
      'under a Chinese line': '参考文献：\n[1] @1 - 水稻\n[2] @2 - 小麦',
      'under a numbered Chinese heading': '## 七、参考资料\n\n1. 水稻 @1\n2. 小麦 @2',
      'with full-width numbers': '## 引用来源\n\n【1】水稻 @1\n【2】小麦 @2',
      'in a German text': '## Quellenverzeichnis\n\n1. Reis @1\n2. Weizen @2',
      'in a French text': '## 5. Références\n\n1. Riz @1\n2. Blé @2',
      'in a Spanish text': '### Referencias\n\n1. Arroz @1\n2. Trigo @2',
      'in a table':
        '## Sources\n\n| No. | Title | Link |\n|---|---|---|\n| 1 | Rice | @1 |\n| 2 | Wheat | @2 |',
      'without a heading, in brackets': '---\n\n[1] Rice @1\n\n[2] Wheat @2',
      'without a heading, at the end': '---\n\n1. Rice @1\n2. Wheat @2',
      'right below the text': 'The end.\n参考文献：\n[1] @1 - 水稻\n[2] @2 - 小麦',
      'right below an item': '- The end.\n[1] @1 - Rice\n[2] @2 - Wheat',
      'folded away': '<details>\n<summary>Sources</summary>\n\n1. Rice @1\n2. Wheat @2\n\n</details>',
      'in groups': '## Sources\n\n### Books\n\n1. Rice @1\n\n### Sites\n\n2. Wheat @2',
      'with links back': '## Sources\n\n1. [Rice](@1) [↩](#r1)\n2. [Wheat](@2) [↩](#r2)',
    }),
  )('is read: %s', (_kind, list) => {
    const addressed = list.replaceAll('@1', ONE).replaceAll('@2', TWO);
    const { entries, citations } = readCitedReport(BODY + addressed);
    expect(entries.map(({ label, url }) => `${label} ${url}`)).toEqual([`1 ${ONE}`, `2 ${TWO}`]);
    expect(entries.map(({ origin }) => origin)).toEqual(['list', 'list']);
    expect(citations.filter(({ form }) => form === 'number').map(({ entry }) => entry)).toEqual([0, 1]);
  });

  it.each([
    ['items', '## Literature\n\n- Lee, K. (2019). Rice and people.\n- Oka, A. (2020). Wheat.'],
    ['paragraphs', '## Bibliography\n\nLee, K. (2019). Rice and people.\n\nOka, A. (2020). Wheat.'],
    ['lines', '**Works cited**\n\nLee, K. (2019). Rice and people.\nOka, A. (2020). Wheat.'],
  ])('without numbers is read from %s', (_kind, list) => {
    expect(entriesOf(`Rice feeds many.\n\n${list}`)).toMatchObject([
      { label: null, author: 'Lee, K.', year: '2019', title: 'Rice and people' },
      { label: null, author: 'Oka, A.', year: '2020', title: 'Wheat' },
    ]);
  });

  it('at the end of each chapter is that chapter’s', () => {
    const urls = ['rice/1', 'rice/2', 'wheat/1', 'wheat/2'].map((page) => `https://a.example/${page}`);
    const chapter = (name: string, one = '', two = ''): string =>
      `# ${name}\n\n${name} feeds many [1]. It is old [2].\n\n## References\n\n1. ${one}\n2. ${two}\n\n`;
    const { citations, entries } = readCitedReport(
      chapter('rice', urls[0], urls[1]) + chapter('wheat', urls[2], urls[3]),
    );
    expect(citations.map(({ entry }) => entries[entry ?? -1]?.url)).toEqual(urls);
  });

  it('that is written as citations are is theirs, where there is another one', () => {
    const books = '## 参考资料\n\n1. 《水稻》，2018年\n2. 《小麦》，2019年\n\n';
    const { citations, entries } = readCitedReport(
      `${BODY}${books}参考文献：\n[1] ${ONE} - 水稻\n[2] ${TWO} - 小麦\n`,
    );
    expect(entries).toHaveLength(4);
    expect(citations.map(({ entry }) => entries[entry ?? -1]?.url)).toEqual([ONE, TWO]);
  });

  it('with one number for two sources leaves open which is cited', () => {
    const { citations } = readCitedReport(`Rice [1].\n\n## Sources\n\n[1] ${ONE}\n[1] ${TWO}\n`);
    expect(citations.map(({ entry }) => entry)).toEqual([null]);
  });

  it('ends where the next heading of its rank begins', () => {
    const report = `## Sources\n\n1. Rice ${ONE}\n\n## Afterword\n\nThat is all.\n`;
    const { statements, entries } = readCitedReport(report);
    expect(entries).toHaveLength(1);
    expect(statements.map(({ plain }) => plain)).toEqual(['That is all.']);
  });

  it('is none where a chapter of that name only tells', () => {
    const chapter = '## Literature\n\nNovels of the time tell of rice and of hunger.\n';
    const { entries, statements } = readCitedReport(chapter);
    expect(entries).toEqual([]);
    expect(statements).toHaveLength(1);
  });

  it('is none where the last items of a text cite addresses', () => {
    const items = `1. Grow rice ([Lee](${ONE})).\n2. Grow wheat ([Oka](${TWO})).\n`;
    const { entries } = readCitedReport(`We advise:\n\n${items}`);
    expect(entries.map(({ origin }) => origin)).toEqual(['link', 'link']);
  });
});

describe('an entry', () => {
  const only = (entry: string): BibliographyEntry | undefined => entriesOf(`## Sources\n\n[1] ${entry}\n`)[0];

  it.each([
    [`${ONE} - Rice of the world | Site`, { title: 'Rice of the world | Site', url: ONE }],
    [`Rice of the world. ${ONE}`, { title: 'Rice of the world', url: ONE }],
    [`[Rice of the world](${ONE}), A Site, 2021`, { title: 'Rice of the world', url: ONE, year: '2021' }],
    [
      'Lee, K. and Oka, A. (2019). Rice of the world. Crops, 3.',
      { title: 'Rice of the world', author: 'Lee, K. and Oka, A.', year: '2019' },
    ],
    [
      'Lee K. "Rice of the world." Crops, 2019.',
      { title: 'Rice of the world', author: 'Lee K.', year: '2019' },
    ],
    ['李明，《世界水稻》，商务印书馆，2019年', { title: '世界水稻', author: '李明', year: '2019' }],
    [
      'Lee (2019) Rice. doi:10.1234/rice.1',
      { url: 'https://doi.org/10.1234/rice.1', author: 'Lee', year: '2019' },
    ],
  ])('is told in its parts: %s', (entry, parts) => {
    expect(only(entry)).toMatchObject(parts);
  });

  it('knows where it stands', () => {
    const written = `[1] ${ONE} - Rice\n  and more of it`;
    const markdown = `# A\n\nRice [1].\n\n## Sources\n\n${written}\n`;
    const [entry] = entriesOf(markdown);
    expect(markdown.slice(entry?.start, entry?.end)).toBe(written);
    expect(entry?.line).toBe(7);
  });
});
