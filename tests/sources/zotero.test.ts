import { join } from 'node:path';
import type { SourceReading } from '../../src/sources/source-problems';
import { readZotero } from '../../src/sources/zotero';
import { zoteroProblem } from '../../src/sources/zotero-api';
import { madePdf } from './made-files';
import { readAll, useSourceFolder } from './source-folder';
import { collection, fileAddress, item, startZotero, type ZoteroUnderTest } from './zotero-under-test';

const SAYS = 'Inhaled steroids reduced attacks by 21 percent in 301 adults.';

let zotero: ZoteroUnderTest;

beforeEach(async () => {
  zotero = await startZotero();
  zotero.lists = {
    '/collections': [collection('ASTHMA11', 'Asthma')],
    '/collections/ASTHMA11/items/top': [],
  };
});
afterEach(() => zotero.close());

const folder = useSourceFolder();

async function read(wanted = 'Asthma'): Promise<SourceReading[]> {
  const readings: SourceReading[] = [];
  for await (const reading of readZotero({ url: zotero.url, collection: wanted }, {})) readings.push(reading);
  return readings;
}

/** Sources by title, and problems, which must all be marked as found. */
async function readItems(): Promise<{
  sources: Record<string, (SourceReading & { ok: true })['record']>;
  remarks: string[];
  problems: string[];
}> {
  const readings = await read();
  const good = readings.filter((reading) => reading.ok);
  const bad = readings.filter((reading) => !reading.ok);
  expect(bad.filter(({ isFound }) => isFound !== true)).toEqual([]);
  return {
    sources: Object.fromEntries(good.map(({ record }) => [record.title, record])),
    remarks: good.flatMap(({ remarks }) => remarks),
    problems: bad.map(({ problem: { file, message } }) => `${file}: ${message}`),
  };
}

const ARTICLE = {
  itemType: 'journalArticle',
  title: 'Inhaled steroids in adults',
  creators: [
    { creatorType: 'author', firstName: 'Anna', lastName: 'Lund' },
    { creatorType: 'author', name: 'Nordic Asthma Group' },
    { creatorType: 'editor', firstName: 'Per', lastName: 'Berg' },
  ],
  date: 'March 12, 2019',
  publicationTitle: 'The Lancet',
  DOI: '10.1000/XYZ',
  url: '',
  language: 'en',
  rights: 'CC BY 4.0',
  abstractNote: 'A two-year trial of 301 adults.',
};

const attachment = (key: string, more: object = {}): object =>
  item(key, {
    itemType: 'attachment',
    linkMode: 'imported_file',
    contentType: 'application/pdf',
    title: 'Full Text PDF',
    filename: 'lund.pdf',
    ...more,
  });

function useItems(items: Record<string, { data: object; meta?: object; children?: object[] }>): void {
  zotero.lists['/collections/ASTHMA11/items/top'] = Object.entries(items).map(([key, { data, meta }]) =>
    item(key, data, meta),
  );
  for (const [key, { children = [] }] of Object.entries(items)) {
    zotero.lists[`/items/${key}/children`] = children;
    for (const child of children)
      if ('key' in child) zotero.lists[`/items/${String(child.key)}/children`] ??= [];
  }
}

describe('a collection of Zotero', () => {
  it('gives the file of an item with Zotero’s metadata', async () => {
    const file = await folder.write('storage/ABCD1234/lund.pdf', await madePdf([SAYS]));
    zotero.files = { PDFKEY11: fileAddress(file) };
    useItems({
      ITEMKEY1: { data: ARTICLE, meta: { parsedDate: '2019-03-12' }, children: [attachment('PDFKEY11')] },
    });
    const { sources, remarks, problems } = await readItems();
    expect({ remarks, problems }).toEqual({ remarks: [], problems: [] });
    expect(Object.values(sources)).toEqual([
      expect.objectContaining({
        title: 'Inhaled steroids in adults',
        author: 'Lund, Anna; Nordic Asthma Group',
        site: 'The Lancet',
        publishedAt: '2019-03-12',
        url: 'https://doi.org/10.1000/xyz',
        language: 'en',
        license: 'CC BY 4.0',
        file: 'lund.pdf',
        mediaType: 'application/pdf',
        content: SAYS,
      }),
    ]);
    expect(new Set(zotero.requests.map(({ version }) => version))).toEqual(new Set(['3']));
  });

  it('gives what the redirect names, the date as written, and the name of an organisation whole', async () => {
    const file = await folder.write(
      'snapshot.html',
      `<html><body><article><p>${SAYS}</p></article></body></html>`,
    );
    zotero.files = { PAGEKEY1: fileAddress(file) };
    zotero.redirects = true;
    const creators = [{ creatorType: 'author', name: 'World Health Organization' }];
    const page = attachment('PAGEKEY1', {
      contentType: 'text/html',
      linkMode: 'imported_url',
      title: 'Snapshot',
    });
    useItems({
      ITEMKEY1: {
        data: {
          itemType: 'webpage',
          title: 'Asthma',
          websiteTitle: 'WHO',
          url: 'https://example.org/a',
          date: 'Spring 2019',
          creators,
        },
        children: [page],
      },
    });
    const { sources } = await readItems();
    expect(sources['Asthma']).toMatchObject({
      author: 'World Health Organization',
      site: 'WHO',
      publishedAt: 'Spring 2019',
      url: 'https://example.org/a',
      content: SAYS,
    });
  });

  it('gives highlights with their pages, and notes and comments without the author of the item', async () => {
    const file = await folder.write('lund.pdf', await madePdf([SAYS]));
    zotero.files = { PDFKEY11: fileAddress(file) };
    useItems({
      ITEMKEY1: {
        data: ARTICLE,
        children: [
          attachment('PDFKEY11'),
          item('NOTEKEY1', { itemType: 'note', note: '<p>They took <b>400 micrograms</b> a day.</p>' }),
          item('EMPTYKEY', { itemType: 'note', note: '' }),
        ],
      },
    });
    const annotation = (key: string, sortIndex: string, more: object): object =>
      item(key, { itemType: 'annotation', annotationSortIndex: sortIndex, ...more });
    zotero.lists['/items/PDFKEY11/children'] = [
      annotation('MARKKEY2', '00002', {
        annotationText: 'Attacks fell by 21 percent.',
        annotationPageLabel: '115',
      }),
      annotation('MARKKEY1', '00001', {
        annotationText: 'In 2011 we followed 301 adults.',
        annotationComment: 'Few women among them.',
        annotationPageLabel: '112',
      }),
    ];
    const { sources } = await readItems();
    expect(Object.keys(sources)).toEqual([
      'Inhaled steroids in adults',
      'Highlights in Inhaled steroids in adults',
      'Notes on Inhaled steroids in adults',
    ]);
    const content = 'In 2011 we followed 301 adults.\n\nAttacks fell by 21 percent.';
    expect(sources['Highlights in Inhaled steroids in adults']).toMatchObject({
      content,
      author: 'Lund, Anna; Nordic Asthma Group',
      url: 'https://doi.org/10.1000/xyz#highlights',
      pages: [
        { number: 1, start: 0, end: 31, name: 'page 112' },
        { number: 2, start: 33, end: content.length, name: 'page 115' },
      ],
    });
    const notes = sources['Notes on Inhaled steroids in adults'];
    expect(notes?.content).toMatch(/^They took \**400 micrograms\** a day\.\n\nFew women among them\.$/);
    expect(notes?.pages).toEqual([expect.objectContaining({ name: 'page 112' })]);
    expect(notes).not.toHaveProperty('author');
    expect(notes).not.toHaveProperty('url');
  });

  it('gives the abstract alone of an item without a file, and says so', async () => {
    useItems({ ITEMKEY1: { data: ARTICLE } });
    const { sources, remarks } = await readItems();
    expect(sources['Inhaled steroids in adults']).toMatchObject({
      content: 'A two-year trial of 301 adults.',
      pages: [{ number: 1, name: 'abstract' }],
    });
    expect(remarks).toEqual(['the item has no file: its abstract alone is read']);
  });

  it('says why a file is not read, and reads the others of the collection', async () => {
    const link = { contentType: 'text/html', linkMode: 'linked_url' };
    zotero.files = {
      GONEKEY1: fileAddress(join(folder.path, 'gone.pdf')),
      WEBKEY11: 'https://example.org/lund.pdf',
    };
    useItems({
      ITEMKEY1: { data: ARTICLE, children: [attachment('GONEKEY1'), attachment('LINKKEY1', link)] },
      ITEMKEY2: { data: { itemType: 'book', title: 'On salt' }, children: [attachment('WEBKEY11')] },
      ITEMKEY3: { data: { itemType: 'book', title: 'Without anything' } },
    });
    const { sources, remarks, problems } = await readItems();
    expect(Object.keys(sources)).toEqual(['Inhaled steroids in adults']);
    expect(remarks).toEqual([
      'its file "lund.pdf" is not read (it is not on this computer; open it in Zotero, which downloads it): its abstract alone is read',
    ]);
    expect(problems).toEqual([
      'Zotero, On salt: its file "lund.pdf" is not read (Zotero names no file of this computer for it)',
      'Zotero, Without anything: the item has no file, no abstract and no notes; attach its file in Zotero',
    ]);
  });

  it('gives files and notes that stand alone, and names the files that it leaves out', async () => {
    const [one, two] = await Promise.all(
      ['lund.pdf', 'table.pdf'].map(async (name) =>
        folder.write(name, await madePdf([`${SAYS} In ${name}.`])),
      ),
    );
    zotero.files = { PDFKEY11: fileAddress(`${one}`), PDFKEY22: fileAddress(`${two}`) };
    useItems({
      ITEMKEY1: {
        data: ARTICLE,
        children: [attachment('PDFKEY11'), attachment('PDFKEY33', { filename: 'tables.pdf' })],
      },
      PDFKEY22: { data: { itemType: 'attachment', contentType: 'application/pdf', title: 'PDF' } },
      NOTEKEY1: { data: { itemType: 'note', note: '<h1>Reading list</h1><p>Salt matters in asthma.</p>' } },
    });
    const { sources, remarks } = await readItems();
    expect(Object.keys(sources)).toEqual(['Inhaled steroids in adults', 'table', 'Reading list']);
    expect(remarks).toEqual([
      'of its files only the first is read; give the others with --sources: "tables.pdf"',
    ]);
  });
});

describe('a storage folder of Zotero', () => {
  it('is read by its path, without Zotero’s own files', async () => {
    await folder.write('storage/ABCD1234/Lund et al. - 2019 - Inhaled steroids.pdf', await madePdf([SAYS]));
    await folder.write('storage/ABCD1234/.zotero-ft-cache', SAYS);
    await folder.write('storage/ABCD1234/.zotero-reader-state', '{}');
    const snapshot = `<html><body><article><h1>Asthma</h1><p>${SAYS}</p></article></body></html>`;
    await folder.write('storage/EFGH5678/asthma.html', snapshot);
    const { records, problems, skipped } = await readAll(join(folder.path, 'storage'));
    expect({ problems, skipped }).toEqual({ problems: [], skipped: [] });
    expect(records.map(({ title }) => title)).toEqual(['Lund et al. 2019 Inhaled steroids', 'Asthma']);
  });
});

describe('the name of a collection', () => {
  beforeEach(() => {
    zotero.lists['/collections'] = [
      collection('REVIEW22', 'Reviews', 'ASTHMA11'),
      collection('ASTHMA11', 'Asthma'),
      collection('REVIEW33', 'Reviews', 'COPD1111'),
      collection('COPD1111', 'COPD'),
    ];
  });

  it('may be its key or be written in small letters, and includes the collections inside', async () => {
    const note = (key: string, text: string): object =>
      item(key, { itemType: 'note', note: `<p>${text}</p>` });
    const items = Array.from({ length: 120 }, (_none, at) =>
      note(`N${at}`, `Note ${at} says that salt matters.`),
    );
    zotero.lists['/collections/ASTHMA11/items/top'] = [note('NA', 'Asthma is common in adults.')];
    zotero.lists['/collections/REVIEW22/items/top'] = [...items, note('NA', 'Asthma is common in adults.')];
    expect(await read('asthma')).toHaveLength(121);
    expect(await read('REVIEW22')).toHaveLength(121);
  });

  it.each([
    ['Copd', null],
    [
      'Reviews',
      'Zotero has 2 collections of this name; give the key of one: Asthma / Reviews (REVIEW22), COPD / Reviews (REVIEW33)',
    ],
    [
      'Salt',
      'Zotero has no such collection; there are Asthma (ASTHMA11), Asthma / Reviews (REVIEW22), COPD (COPD1111), COPD / Reviews (REVIEW33)',
    ],
  ])('%s: %s', async (wanted, problem) => {
    expect(await zoteroProblem({ url: zotero.url, collection: wanted })).toBe(problem);
  });
});

describe('Zotero that cannot be asked', () => {
  const ALLOW =
    'start Zotero 7 and allow other applications on this computer to communicate with it (Settings, Advanced)';

  it('is named with what to do', async () => {
    zotero.isClosed = true;
    expect(await read()).toEqual([
      { ok: false, problem: { file: 'Zotero, Asthma', message: `Zotero does not give access: ${ALLOW}` } },
    ]);
    const { url } = zotero;
    await zotero.close();
    expect(await zoteroProblem({ url, collection: 'Asthma' })).toBe(
      `Zotero does not answer at ${url}: ${ALLOW}`,
    );
    zotero = await startZotero();
  });

  it('is told from other servers', async () => {
    zotero.lists['/collections'] = [{ name: 'no collection' }];
    expect(await zoteroProblem({ url: zotero.url, collection: 'Asthma' })).toMatch(
      /is not Zotero 7: set zotero\.url/,
    );
  });
});
