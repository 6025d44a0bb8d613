import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { renderBibtex } from '../../src/document/formats/bibtex';
import { renderRis } from '../../src/document/formats/ris';
import type { DocumentTree } from '../../src/document/document';
import { useImports } from './pages/imports-under-test';

const imports = useImports();
const { server, folder, at, imported } = imports;

const TEXT =
  'A trial of 120 adults found no difference between two kinds of rice, and slept longer on neither of them.';
const PAGE = (title: string): string =>
  `<!doctype html><html><head><title>${title}</title><meta name="author" content="The page"></head><body><article><h1>${title}</h1><p>${`${TEXT} `.repeat(6)}</p></article></body></html>`;

beforeEach(() => {
  server.serve = ({ url = '' }, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE(url));
});

const asked = (prefix: string): string[] =>
  server.requests.map(({ path }) => path).filter((path) => path.startsWith(prefix));

describe('a bibliography in BibTeX', () => {
  it('gives its works by the file beside it, else the address, else the abstract, under what it says of them', async () => {
    await folder.write('export/files/1/rice.md', `# Another title\n\n${TEXT}`);
    const bib = await folder.write(
      'export/library.bib',
      `@string{nut = "Nutrition"}
@article{one, title = {{Rice} and sl{\\'e}ep}, author = {M{\\"u}ller, Anna and {Ministry of Food and Health} and others},
  journal = nut # " Journal", year = 2019, month = mar, copyright = {CC BY 4.0}, doi = {10.1000/rice},
  file = {Full Text:files/1/rice.md:text/markdown;Snapshot:files/1/gone.html:text/html}}
@misc{two, title = {By its address}, url = {${at('/bib/two')}}, date = {2020-05-06}}
@article{broken, title = {Never closed}
@article{three, title = "Only told of", abstract = {${TEXT}}}
@book{four, title = {Nothing}}
`,
    );
    const { sources, warnings, textOf } = await imported([bib]);
    expect(sources).toMatchObject([
      {
        title: 'Rice and sléep',
        author: 'Müller, Anna; Ministry of Food and Health et al.',
        site: 'Nutrition Journal',
        publishedAt: '2019-03',
        license: 'CC BY 4.0',
        url: 'https://doi.org/10.1000/rice',
        mediaType: 'text/markdown',
      },
      { title: 'By its address', author: 'The page', publishedAt: '2020-05-06', url: at('/bib/two') },
      { title: 'Only told of', pages: [{ number: 1, start: 0, end: TEXT.length, name: 'abstract' }] },
    ]);
    expect(await textOf(sources[0])).toContain(TEXT);
    expect(await textOf(sources[2])).toBe(TEXT);
    const told = warnings.map((warning) => warning.replace(`${folder.path}/export/`, ''));
    expect(told).toEqual([
      expect.stringMatching(/^library\.bib:6: the entry is no BibTeX/),
      'library.bib:8: the entry has no address, no file and no abstract; give it one of them',
      'library.bib:7: the entry has neither an address nor a file: its abstract alone is read',
    ]);
  });

  it('leads to no file outside of its folder, by whatever path', async () => {
    const secret = await folder.write('secret.md', 'What nobody is to read.');
    await mkdir(join(folder.path, 'export'));
    await symlink(secret, join(folder.path, 'export', 'link.md'));
    const outside = ['../secret.md', secret, 'link.md', 'C:\\secret.md', `file://${secret}`];
    const entries = outside.map(
      (path, n) => `@misc{e${n}, title = {E${n}}, file = {:${path.replace(/[\\:]/g, '\\$&')}:text}}`,
    );
    const bib = await folder.write('export/library.bib', entries.join('\n'));
    const here = await folder.write('here.md', TEXT);
    const { sources, warnings } = await imported([bib, here]);
    expect(sources.map(({ title }) => title)).toEqual(['here']);
    expect(warnings).toHaveLength(outside.length);
    for (const warning of warnings) expect(warning).toContain('lies outside of the folder of the list');
  });

  it('reads braces without end in a moment, and says what is wrong', async () => {
    const bib = await folder.write(
      'deep.bib',
      `@a{k, t={${'{'.repeat(100_000)}\n@a{l, t={${'{}'.repeat(100_000)}`,
    );
    const { warnings } = await imported([bib, await folder.write('here.md', TEXT)]);
    expect(warnings).toHaveLength(2);
  });
});

describe('a bibliography in RIS', () => {
  it('gives its works as Zotero exports them', async () => {
    await folder.write('files/7/paper.md', `# Its own title\n\n${TEXT}`);
    const ris = await folder.write(
      'library.ris',
      [
        ...[
          'TY  - JOUR',
          'TI  - Rice and sleep',
          'AU  - Doe, Jane',
          'AU  - Roe, Richard',
          'DA  - 2019/03/12/',
        ],
        ...['UR  - https://journal.example/rice', 'L1  - files/7/paper.md', 'LA  - en', 'ER  - ', ''],
        ...['TY  - ELEC', 'T1  - A page', `UR  - ${at('/ris/page')}`, 'PY  - 2018', 'ER  - ', ''],
        ...['TY  - JOUR', 'TI  - Cut off'],
      ].join('\r\n'),
    );
    const { sources, warnings } = await imported([ris]);
    expect(sources).toMatchObject([
      {
        title: 'Rice and sleep',
        author: 'Doe, Jane; Roe, Richard',
        publishedAt: '2019-03-12',
        url: 'https://journal.example/rice',
        language: 'en',
      },
      { title: 'A page', url: at('/ris/page'), publishedAt: '2018' },
    ]);
    expect(warnings).toEqual([expect.stringMatching(/library\.ris:17: the entry has no end \(ER\)/)]);
  });

  it('takes the link to a text for no file, and the year where a date has none, and names an entry without an end', async () => {
    const ris = await folder.write(
      'library.ris',
      [
        ...['TY  - JOUR', 'TI  - Cut off'],
        ...[
          'TY  - JOUR',
          'TI  - Linked',
          `L1  - ${at('/ris/linked')}`,
          'DA  - Jun 7',
          'PY  - 2011',
          'ER  - ',
        ],
      ].join('\n'),
    );
    const { sources, warnings } = await imported([ris]);
    expect(sources).toMatchObject([{ title: 'Linked', url: at('/ris/linked'), publishedAt: '2011' }]);
    expect(warnings).toEqual([expect.stringMatching(/library\.ris:1: the entry has no end \(ER\)/)]);
  });
});

test.each([
  ['bib', renderBibtex],
  ['ris', renderRis],
])('what this program exports as .%s is read back', async (ending, render) => {
  const source = {
    n: 1,
    sourceId: 'rice',
    title: 'Rice & sleep {50 %}',
    author: 'Doe, Jane; Roe, Richard',
    site: 'Nutrition',
    publishedAt: '2019-03-12',
    accessedAt: '2026-01-01',
    url: at(`/back/${ending}?a=1&b=2`),
    quality: null,
    timesCited: 1,
  };
  const tree = { kind: 'report', id: 'rice', version: '0.6.0', sources: [source] } as unknown as DocumentTree; // all that is rendered
  const { sources } = await imported([await folder.write(`export.${ending}`, render(tree))]);
  const { title, author, url } = source;
  expect(sources).toMatchObject([
    { title, author, url, publishedAt: expect.stringMatching(/^2019-03/) as string },
  ]);
});

describe('a sitemap', () => {
  const urls = (paths: readonly string[]): string =>
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${paths.map((path) => `<url><loc>${path}</loc><image:image xmlns:image="i"><image:loc>${at('/map/image')}</image:loc></image:image></url>`).join('')}</urlset>`;
  const index = (paths: readonly string[]): string =>
    `<sitemapindex>${paths.map((path) => `<sitemap><loc>${path}</loc></sitemap>`).join('')}</sitemapindex>`;

  it('leads to the pages of its own site, over the sitemaps that it lists, and no further', async () => {
    const maps: Record<string, string> = {
      '/map/index.xml': index([at('/map/a.xml'), at('/map/index.xml?2'), at('/map/b.xml')]),
      '/map/index.xml?2': index([at('/map/never.xml')]),
      '/map/a.xml': urls([at('/map/1'), at('/map/1'), at('/map/2'), at('/map/x', 'two.example')]),
      '/map/b.xml': urls([at('/map/c.xml')]),
      '/map/c.xml': urls([at('/map/never')]),
    };
    server.serve = ({ url = '' }, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(maps[url] ?? PAGE(url));
    const { sources, warnings } = await imported([at('/map/index.xml')]);
    expect(sources.map(({ url }) => url)).toEqual([at('/map/1'), at('/map/2')]);
    expect(warnings).toEqual([
      expect.stringContaining('1 of the 3 addresses of the sitemap lie on another site'),
      expect.stringContaining('it is a sitemap where a page should be'),
      expect.stringContaining('it is a sitemap where a page should be'),
    ]);
    expect(asked('/map/never').concat(asked('/map/x'), asked('/map/image'))).toEqual([]);
  });

  it('is read from a file as well, and bounded', async () => {
    const file = await folder.write(
      'sitemap.xml',
      urls([at('/file/1'), at('/file/2'), 'https://other.example/']),
    );
    const { sources, warnings } = await imported([file]);
    expect(sources.map(({ url }) => url)).toEqual([at('/file/1'), at('/file/2')]);
    expect(warnings).toEqual([expect.stringContaining('1 of the 3 addresses')]);
  });

  it('is of one site by http and https, with www. and without', async () => {
    const { host } = new URL(at(''));
    const others = ['https://', 'http://www.'].map((begin) => `${begin}${host}/variant`);
    const file = await folder.write('variants.xml', urls([at('/variants/1'), ...others]));
    const { sources, warnings } = await imported([file]);
    expect(sources.map(({ url }) => url)).toEqual([at('/variants/1')]);
    // The site has nothing there, and is asked all the same.
    expect(warnings.join('\n')).not.toContain('another site');
    for (const address of others) expect(warnings).toContainEqual(expect.stringContaining(address));
  });
});
