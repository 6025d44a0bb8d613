import type { BibliographyEntry } from '../../../src/report/cited-markdown/cited-statements';
import { type CitableSource, matchSources } from '../../../src/report/cited-markdown/match-sources';
import { readCitedReport } from '../../../src/report/cited-markdown/read-cited-report';

describe('the list of sources of a report', () => {
  function entriesOf(markdown: string): BibliographyEntry[] {
    return readCitedReport(markdown).entries;
  }

  const BODY = '# Rice\n\nRice feeds many [1]. Wheat too [2].\n\n';
  const ONE = 'https://a.example/one';
  const TWO = 'https://a.example/two';

  describe('a list of sources', () => {
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
    )('is read %s', (_kind, list) => {
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
    ])('is read without numbers from %s', (_kind, list) => {
      expect(entriesOf(`Rice feeds many.\n\n${list}`)).toMatchObject([
        { label: null, author: 'Lee, K.', year: '2019', title: 'Rice and people' },
        { label: null, author: 'Oka, A.', year: '2020', title: 'Wheat' },
      ]);
    });

    it('belongs to its chapter', () => {
      const urls = ['rice/1', 'rice/2', 'wheat/1', 'wheat/2'].map((page) => `https://a.example/${page}`);
      const chapter = (name: string, one = '', two = ''): string =>
        `# ${name}\n\n${name} feeds many [1]. It is old [2].\n\n## References\n\n1. ${one}\n2. ${two}\n\n`;
      const { citations, entries } = readCitedReport(
        chapter('rice', urls[0], urls[1]) + chapter('wheat', urls[2], urls[3]),
      );
      expect(citations.map(({ entry }) => entries[entry ?? -1]?.url)).toEqual(urls);
    });

    it('matches the form of the citations where there are two lists', () => {
      const books = '## 参考资料\n\n1. 《水稻》，2018年\n2. 《小麦》，2019年\n\n';
      const { citations, entries } = readCitedReport(
        `${BODY}${books}参考文献：\n[1] ${ONE} - 水稻\n[2] ${TWO} - 小麦\n`,
      );
      expect(entries).toHaveLength(4);
      expect(citations.map(({ entry }) => entries[entry ?? -1]?.url)).toEqual([ONE, TWO]);
    });

    it('does not resolve a number of two entries', () => {
      const { citations } = readCitedReport(`Rice [1].\n\n## Sources\n\n[1] ${ONE}\n[1] ${TWO}\n`);
      expect(citations.map(({ entry }) => entry)).toEqual([null]);
    });

    it('ends at the next heading of its level', () => {
      const report = `## Sources\n\n1. Rice ${ONE}\n\n## Afterword\n\nThat is all.\n`;
      const { statements, entries } = readCitedReport(report);
      expect(entries).toHaveLength(1);
      expect(statements.map(({ plain }) => plain)).toEqual(['That is all.']);
    });

    it('is not found in a chapter of prose', () => {
      const chapter = '## Literature\n\nNovels of the time tell of rice and of hunger.\n';
      const { entries, statements } = readCitedReport(chapter);
      expect(entries).toEqual([]);
      expect(statements).toHaveLength(1);
    });

    it('is not found in items that cite addresses', () => {
      const items = `1. Grow rice ([Lee](${ONE})).\n2. Grow wheat ([Oka](${TWO})).\n`;
      const { entries } = readCitedReport(`We advise:\n\n${items}`);
      expect(entries.map(({ origin }) => origin)).toEqual(['link', 'link']);
    });
  });

  describe('an entry', () => {
    const only = (entry: string): BibliographyEntry | undefined =>
      entriesOf(`## Sources\n\n[1] ${entry}\n`)[0];

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
    ])('is read in parts: %s', (entry, parts) => {
      expect(only(entry)).toMatchObject(parts);
    });

    it('has offsets and a line', () => {
      const written = `[1] ${ONE} - Rice\n  and more of it`;
      const markdown = `# A\n\nRice [1].\n\n## Sources\n\n${written}\n`;
      const [entry] = entriesOf(markdown);
      expect(markdown.slice(entry?.start, entry?.end)).toBe(written);
      expect(entry?.line).toBe(7);
    });
  });
});

describe('matchSources', () => {
  function entry(parts: Partial<BibliographyEntry>): BibliographyEntry {
    const nothing = { url: null, title: null, author: null, year: null, label: null };
    return { start: 0, end: 0, line: 1, text: '', origin: 'list', ...nothing, ...parts };
  }

  /** The source that fits and what by, or between which of them it is open. */
  function match(parts: Partial<BibliographyEntry>, sources: Partial<CitableSource>[]): string {
    const given = sources.map((source, at) => ({ id: `s${at + 1}`, url: null, title: null, ...source }));
    const [found] = matchSources([entry(parts)], given);
    const between = found?.between.length ? ` between ${found.between.join(', ')}` : '';
    return `${found?.source} by ${found?.how}${between}`;
  }

  const PAGE = 'https://a.example/rice/one';
  const NONE = 'null by null';

  describe('finds a source', () => {
    it.each([
      ['by its title among other words', { title: 'Lee, K., Rice' }, /^s1 /],
      ['not where its address is another', { url: 'https://b.example/comment' }, /^null /],
    ])('%s', (_kind, parts, source) => {
      const text = 'Lee, K., Rice and the people of the dry hills, Journal of Crops 2019';
      const titles = [
        'Rice and the people of the dry hills—results of a trial',
        'Wheat and the people of the dry hills',
      ];
      const sources = titles.map((title) => ({ title, url: `${PAGE}/${title.length}` }));
      expect(match({ text, ...parts }, sources)).toMatch(source);
    });

    it('by its address', () => {
      expect(match({ url: PAGE }, [{ url: PAGE }, { url: `${PAGE}/more` }])).toBe('s1 by address');
    });

    it.each([
      ['http://a.example/rice/one', 'the scheme'],
      ['https://www.a.example/rice/one', 'www'],
      ['https://a.example/rice/one/', 'a slash at the end'],
      ['https://a.example/rice/one#part-2', 'a fragment'],
      ['https://a.example/rice/one/index.html', 'the name of a start page'],
      ['https://a.example/rice/one?utm_source=mail', 'a tracking parameter'],
      ['https://a.example/rice/%6Fne', 'an encoding that is not needed'],
      ['www.a.example/rice/one', 'no scheme'],
    ])('by its page: %s has %s', (url) => {
      expect(match({ url }, [{ url: 'https://a.example/rice/two' }, { url: PAGE }])).toBe('s2 by page');
    });

    it.each([
      [{ url: 'https://doi.org/10.1234/Rice.1' }, 'https://publisher.example/article/10.1234/rice.1/full'],
      [{ text: 'Lee. Rice. doi: 10.1234/rice.1.' }, 'https://doi.org/10.1234%2Frice.1'],
      [{ url: 'https://arxiv.org/html/2409.04481v1' }, 'https://arxiv.org/abs/2409.04481'],
    ])('by its DOI: %j', (parts, url) => {
      expect(match(parts, [{ url: PAGE }, { url }])).toBe('s2 by doi');
    });

    it('by the start of an address, where only one begins so', () => {
      const sources = [{ url: PAGE }, { url: 'https://a.example/ricecakes' }];
      expect(match({ url: 'https://a.example/rice' }, sources)).toBe('s1 by prefix');
      expect(match({ url: `${PAGE}/comments` }, [{ url: PAGE }])).toBe('s1 by prefix');
    });

    it('not by the site only', () => {
      expect(match({ url: 'https://a.example/' }, [{ url: PAGE }])).toBe(NONE);
    });

    it.each([
      ['Rice and the People of the World', 'Rice and the people of the world - PMC'],
      ['Rice and the people of the world | Crops', 'Rice and the People of the World'],
      ['世界水稻产量与人口增长的关系', '世界水稻产量与人口增长的关系 - 知乎'],
    ])('by its title: %s', (title, other) => {
      const sources = [{ title: 'Wheat and the people of the hills' }, { title: other }];
      expect(match({ title }, sources)).toBe('s2 by title');
    });

    it('not by a title with another number', () => {
      const title = 'Outlook for the world rice market in 2024';
      expect(match({ title }, [{ title: title.replace('2024', '2025') }])).toMatch(/^null /);
    });
  });

  describe('ambiguous sources', () => {
    it('are returned as candidates', () => {
      const sources = [{ url: `${PAGE}?page=1` }, { url: `${PAGE}?page=2` }, { url: 'https://b.example/' }];
      expect(match({ url: PAGE }, sources)).toBe('null by prefix between s1, s2');
    });

    it('are distinguished by title', () => {
      const titles = ['Rice in the dry hills', 'Wheat in the dry hills'];
      const sources = titles.map((title, at) => ({ url: `${PAGE}/${at}`, title }));
      expect(match({ url: PAGE, title: 'Wheat in the dry hills' }, sources)).toBe('s2 by title');
    });

    it('of one title are candidates', () => {
      const title = 'Rice in the dry hills';
      expect(match({ title }, [{ title }, { title }])).toBe('null by title between s1, s2');
    });

    it('returns nothing where nothing fits', () => {
      expect(match({ title: 'Rice in the dry hills' }, [])).toBe(NONE);
    });
  });
});
