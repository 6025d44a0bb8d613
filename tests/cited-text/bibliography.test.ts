import { readCitedReport } from '../../src/cited-text/read-cited-report';
import type { BibliographyEntry } from '../../src/cited-text/cited-report';

function entriesOf(markdown: string): BibliographyEntry[] {
  return readCitedReport(markdown).entries;
}

const BODY = '# Rice\n\nRice feeds many [1]. Wheat too [2].\n\n';

describe('a list of sources', () => {
  it.each([
    [
      'numbered',
      '## References\n\n1. Lee, K. Rice. https://a.example/one\n2. Oka, A. Wheat. https://a.example/two',
    ],
    [
      'under a heading with attributes',
      '# References {#refs .unnumbered}\n\n1. Rice https://a.example/one\n2. Wheat https://a.example/two',
    ],
    [
      'under a heading of words with one ending',
      '# Literatur- und Quellenverzeichnis\n\n1. Reis https://a.example/one\n2. Weizen https://a.example/two',
    ],
    [
      'with a word before each number',
      '**Sources used:**\n- Source 1: https://a.example/one\n- Source 2: https://a.example/two',
    ],
    [
      'with numbers in brackets',
      '## Sources\n\n[1] https://a.example/one - Rice\n[2] https://a.example/two - Wheat',
    ],
    [
      'with numbers and a bracket',
      '## Works cited\n\n1) Rice https://a.example/one\n2) Wheat https://a.example/two',
    ],
    [
      'of items with numbers in brackets',
      '## Sources\n\n- [1] Rice https://a.example/one\n- [2] Wheat https://a.example/two',
    ],
    [
      'with bold numbers',
      '## Sources\n\n**[1]** Rice https://a.example/one\n\n**[2]** Wheat https://a.example/two',
    ],
    ['of definitions', '[1]: https://a.example/one "Rice"\n[2]: https://a.example/two "Wheat"'],
    [
      'of numbers and colons',
      '## Sources\n\n[1]: https://a.example/one Rice of the world\n[2]: https://a.example/two Wheat',
    ],
    [
      'under a line in bold',
      '**References**\n\n1. Rice https://a.example/one\n2. Wheat https://a.example/two',
    ],
    ['under a line', 'References:\n[1] https://a.example/one - Rice\n[2] https://a.example/two - Wheat'],
    [
      'under a Chinese line',
      '参考文献：\n[1] https://a.example/one - 水稻\n[2] https://a.example/two - 小麦',
    ],
    [
      'under a numbered Chinese heading',
      '## 七、参考资料\n\n1. 水稻 https://a.example/one\n2. 小麦 https://a.example/two',
    ],
    [
      'with full-width numbers',
      '## 引用来源\n\n【1】水稻 https://a.example/one\n【2】小麦 https://a.example/two',
    ],
    [
      'in a German text',
      '## Quellenverzeichnis\n\n1. Reis https://a.example/one\n2. Weizen https://a.example/two',
    ],
    ['in a French text', '## 5. Références\n\n1. Riz https://a.example/one\n2. Blé https://a.example/two'],
    [
      'in a Spanish text',
      '### Referencias\n\n1. Arroz https://a.example/one\n2. Trigo https://a.example/two',
    ],
    [
      'in a table',
      '## Sources\n\n| No. | Title | Link |\n|---|---|---|\n| 1 | Rice | https://a.example/one |\n| 2 | Wheat | https://a.example/two |',
    ],
    [
      'without a heading, in brackets',
      '---\n\n[1] Rice https://a.example/one\n\n[2] Wheat https://a.example/two',
    ],
    ['without a heading, at the end', '---\n\n1. Rice https://a.example/one\n2. Wheat https://a.example/two'],
    [
      'right below the text',
      'The end.\n参考文献：\n[1] https://a.example/one - 水稻\n[2] https://a.example/two - 小麦',
    ],
    [
      'right below an item',
      '- The end.\n[1] https://a.example/one - Rice\n[2] https://a.example/two - Wheat',
    ],
    [
      'folded away',
      '<details>\n<summary>Sources</summary>\n\n1. Rice https://a.example/one\n2. Wheat https://a.example/two\n\n</details>',
    ],
    [
      'in groups',
      '## Sources\n\n### Books\n\n1. Rice https://a.example/one\n\n### Sites\n\n2. Wheat https://a.example/two',
    ],
    [
      'with links back',
      '## Sources\n\n1. [Rice](https://a.example/one) [↩](#r1)\n2. [Wheat](https://a.example/two) [↩](#r2)',
    ],
  ])('is read: %s', (_kind, list) => {
    const { entries, citations } = readCitedReport(BODY + list);
    expect(entries.map(({ label, url, origin }) => [label, url, origin])).toEqual([
      ['1', 'https://a.example/one', 'list'],
      ['2', 'https://a.example/two', 'list'],
    ]);
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
    const chapter = (name: string): string =>
      `# ${name}\n\n${name} feeds many [1]. It is old [2].\n\n## References\n\n1. https://a.example/${name}/1\n2. https://a.example/${name}/2\n\n`;
    const { citations, entries } = readCitedReport(chapter('rice') + chapter('wheat'));
    expect(citations.map(({ entry }) => entries[entry ?? -1]?.url)).toEqual([
      'https://a.example/rice/1',
      'https://a.example/rice/2',
      'https://a.example/wheat/1',
      'https://a.example/wheat/2',
    ]);
  });

  it('that is written as citations are is theirs, where there is another one', () => {
    const { citations, entries } = readCitedReport(
      `${BODY}## 参考资料\n\n1. 《水稻》，2018年\n2. 《小麦》，2019年\n\n参考文献：\n[1] https://a.example/one - 水稻\n[2] https://a.example/two - 小麦\n`,
    );
    expect(entries).toHaveLength(4);
    expect(citations.map(({ entry }) => entries[entry ?? -1]?.url)).toEqual([
      'https://a.example/one',
      'https://a.example/two',
    ]);
  });

  it('with one number for two sources leaves open which is cited', () => {
    const { citations } = readCitedReport(
      'Rice [1].\n\n## Sources\n\n[1] https://a.example/one\n[1] https://a.example/two\n',
    );
    expect(citations.map(({ entry }) => entry)).toEqual([null]);
  });

  it('ends where the next heading of its rank begins', () => {
    const { statements, entries } = readCitedReport(
      '## Sources\n\n1. Rice https://a.example/one\n\n## Afterword\n\nThat is all.\n',
    );
    expect(entries).toHaveLength(1);
    expect(statements.map(({ plain }) => plain)).toEqual(['That is all.']);
  });

  it('is none where a chapter of that name only tells', () => {
    const { entries, statements } = readCitedReport(
      '## Literature\n\nNovels of the time tell of rice and of hunger.\n',
    );
    expect(entries).toEqual([]);
    expect(statements).toHaveLength(1);
  });

  it('is none where the last items of a text cite addresses', () => {
    const { entries } = readCitedReport(
      'We advise:\n\n1. Grow rice ([Lee](https://a.example/one)).\n2. Grow wheat ([Oka](https://a.example/two)).\n',
    );
    expect(entries.map(({ origin }) => origin)).toEqual(['link', 'link']);
  });
});

describe('an entry', () => {
  const only = (entry: string): BibliographyEntry | undefined => entriesOf(`## Sources\n\n[1] ${entry}\n`)[0];

  it.each([
    [
      'https://a.example/one - Rice of the world | Site',
      { title: 'Rice of the world | Site', url: 'https://a.example/one' },
    ],
    [
      'Rice of the world. https://a.example/one',
      { title: 'Rice of the world', url: 'https://a.example/one' },
    ],
    [
      '[Rice of the world](https://a.example/one), A Site, 2021',
      { title: 'Rice of the world', url: 'https://a.example/one', year: '2021' },
    ],
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
    const markdown = '# A\n\nRice [1].\n\n## Sources\n\n[1] https://a.example/one - Rice\n  and more of it\n';
    const [entry] = entriesOf(markdown);
    expect(markdown.slice(entry?.start, entry?.end)).toBe(
      '[1] https://a.example/one - Rice\n  and more of it',
    );
    expect(entry?.line).toBe(7);
  });
});
