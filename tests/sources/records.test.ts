import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceRecord } from '../../src/contracts/source';
import type { DocumentTree } from '../../src/report/document/document';
import { renderBibtex, renderRis } from '../../src/report/document/text-formats';
import type { SourceReading } from '../../src/sources/source-problems';
import { readRecords } from '../../src/sources/source-readings';
import { useImports } from './imports-under-test';

describe('records', () => {
  async function read(records: Parameters<typeof readRecords>[0]): Promise<SourceReading[]> {
    const readings: SourceReading[] = [];
    for await (const reading of readRecords(records)) readings.push(reading);
    return readings;
  }

  async function* asTheyCome(records: readonly SourceRecord[]): AsyncGenerator<SourceRecord> {
    for (const record of records) {
      await Promise.resolve();
      yield record;
    }
  }

  const WALKS: SourceRecord = {
    content: 'Walking every day lowers the pressure of the blood in most adults here.',
  };

  it('names a record without a title by its heading or its first words, and gives it an id', async () => {
    const [headed, plain] = await read([{ content: '# Sleep\n\nText.' }, WALKS]);
    expect(headed).toMatchObject({ ok: true, line: 1, record: { title: 'Sleep' } });
    expect(plain).toMatchObject({
      ok: true,
      line: 2,
      record: {
        title: 'Walking every day lowers the pressure of the…',
        id: expect.stringMatching(/^walking-every-day-[a-z-]*[0-9a-f]{12}$/) as string,
      },
    });
  });

  it('takes the summary of a record without content for its text', async () => {
    const summary = 'Walking lowers the pressure.';
    const [without, empty, neither] = await read([
      { summary },
      { summary, content: ' ' },
      { title: 'Walks' },
    ]);
    expect(without).toMatchObject({ ok: true, record: { content: summary, summary } });
    expect(empty).toMatchObject({ ok: true, record: { content: summary, summary } });
    expect(neither).toMatchObject({
      ok: false,
      problem: { message: expect.stringMatching(/^content is missing/) as string },
    });
  });

  it('reads the same from a list, a set and a stream', async () => {
    const records = [WALKS, { id: 'b', content: 'b' }];
    const fromList = await read(records);
    expect(await read(new Set(records))).toEqual(fromList);
    expect(await read(asTheyCome(records))).toEqual(fromList);
  });

  it('reports the place of an invalid record', async () => {
    // A program without types gives anything.
    const given = [
      { id: 'a', content: 'x' },
      { title: 'no text' },
      { id: 'a', content: 'y' },
      5,
    ] as SourceRecord[];
    const problems = (await read(given)).flatMap((reading) => (reading.ok ? [] : [reading.problem]));
    expect(problems).toEqual([
      { file: 'records', line: 2, message: expect.stringContaining('content is missing') as string },
      { file: 'records', line: 3, message: expect.stringContaining('that of records:1 already') as string },
      { file: 'records', line: 4, message: expect.stringContaining('a number where a record') as string },
    ]);
    expect(await read([])).toEqual([{ ok: false, problem: { file: 'records', message: 'there is none' } }]);
  });
});

describe('bibliographies', () => {
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
          title: 'Rice and sleep',
          author: 'Muller, Anna; Ministry of Food and Health et al.',
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
    const tree = {
      kind: 'report',
      id: 'rice',
      version: '0.6.0',
      sources: [source],
    } as unknown as DocumentTree; // all that is rendered
    const { sources } = await imported([await folder.write(`export.${ending}`, render(tree))]);
    const { title, author, url } = source;
    expect(sources).toMatchObject([
      { title, author, url, publishedAt: expect.stringMatching(/^2019-03/) as string },
    ]);
  });
});
