import { join } from 'node:path';
import { SourceManifest } from '../../src/contracts/source/source';
import { importSources } from '../../src/sources/import-sources';
import { readSources } from '../../src/sources/read-sources';
import { openStores } from '../../src/stores/open-stores';
import { madePdf } from './made-pdf';
import { readAll, toldProblems, useSourceFolder } from './source-folder';

const folder = useSourceFolder();

it('reads a PDF page by page, with what it says of itself', async () => {
  const about = { title: 'On walking and health', author: 'Ada Lovelace', created: '2020-05-04' };
  const pages = ['# Walking\n\nIt helps.\nIt is cheap.\n\nAnother paragraph.', 'The second page.'];
  const pdf = await madePdf(pages, about);
  const { records, problems } = await readAll(await folder.write('walk.pdf', pdf));
  expect(problems).toEqual([]);
  const [record] = records;
  expect(record).toMatchObject({
    title: 'On walking and health',
    author: 'Ada Lovelace',
    publishedAt: '2020-05-04',
    file: 'walk.pdf',
    content: 'Walking\n\nIt helps.\nIt is cheap.\n\nAnother paragraph.\n\nThe second page.',
  });
  const texts = record?.pages?.map(({ number, start, end }) => [number, record.content.slice(start, end)]);
  expect(texts).toEqual([
    [1, 'Walking\n\nIt helps.\nIt is cheap.\n\nAnother paragraph.'],
    [2, 'The second page.'],
  ]);
});

it('joins words that lines have broken, and keeps a hyphen of their own', async () => {
  const text = 'The exam-\nple is well known, long known:\nthe well-\nknown one. An example.';
  const { records } = await readAll(await folder.write('a.pdf', await madePdf([text])));
  expect(records[0]?.content).toBe('The example is well known, long known:\nthe well-known one. An example.');
});

it.each([
  [{ title: 'thesis-final.docx' }],
  [{ title: 'untitled' }],
  [{ title: 'Microsoft Word - thesis.doc', author: 'user' }],
  [{ title: '   ', author: 'user@example.org' }],
  [{ title: 'C:\\papers\\my thesis', author: 'admin', created: '1601-01-01' }],
])('takes no file name, no account and no impossible date for metadata: %p', async (about) => {
  const { records } = await readAll(await folder.write('walking_helps.pdf', await madePdf(['Text.'], about)));
  expect(records[0]?.title).toBe('walking helps');
  expect(records[0]?.author).toBeUndefined();
  if ('created' in about) expect(records[0]?.publishedAt).toBeUndefined();
});

it('says of every PDF that cannot be read what is wrong and what to do, and reads the others', async () => {
  const good = await madePdf(['Good text.']);
  await folder.write('a-good.pdf', good);
  await folder.write('b-encrypted.pdf', await madePdf(['Secret.'], { encrypted: true }));
  await folder.write('c-scanned.pdf', await madePdf(['', '', '']));
  await folder.write('d-cut.pdf', good.slice(0, 300));
  await folder.write('e-text.pdf', 'Only a text.');
  await folder.write('e2-binary.pdf', new Uint8Array([0, 1, 2, 3]));
  await folder.write('f-empty.pdf', '');
  await folder.write('g-part.pdf', await madePdf(['One.', '', 'Three.']));
  const { records, problems } = await readAll(folder.path);
  expect(records.map(({ content, pages }) => [content, pages?.length])).toEqual([
    ['Good text.', 1],
    ['Only a text.', undefined],
    ['One.\n\nThree.', 3],
  ]);
  expect(toldProblems(problems, folder)).toEqual([
    'b-encrypted.pdf: the PDF is encrypted; save it without a password',
    'c-scanned.pdf: its 3 pages have no text, only images, it seems; have its text recognised (OCR) first',
    'd-cut.pdf: the PDF is broken and cannot be opened; save it anew from what it was made of',
    'e2-binary.pdf: it is no PDF, whatever its name says; give it with the ending of what it is',
    'f-empty.pdf: the file is empty',
  ]);
});

it('refuses a PDF of more pages than are read', async () => {
  const pages = Array.from({ length: 5_001 }, () => '');
  const { problems } = await readAll(await folder.write('many.pdf', await madePdf(pages)));
  expect(problems).toMatchObject([
    { message: 'the PDF has 5,001 pages; at most 5,000 are read; split it into parts' },
  ]);
});

it('is imported with its pages, as a record is whose pages somebody else tells', async () => {
  await folder.write('a.pdf', await madePdf(['First page.', 'Second page.']));
  const pages = [{ number: 4, start: 0, end: 3 }];
  await folder.write('b.json', JSON.stringify([{ title: 'B', content: 'One two.', pages }]));
  const stores = await openStores({ stores: 'lmdb', dataDir: join(folder.path, '.data') });
  try {
    const { content } = stores;
    const readings = readSources([folder.path]);
    const { manifestRef } = await importSources({ runId: 'run-1', readings, content, skipInvalid: false });
    const manifest = SourceManifest.parse(JSON.parse((await content.retrieve(manifestRef)) ?? 'null'));
    expect(manifest.sources).toMatchObject([
      {
        file: 'a.pdf',
        pages: [
          { number: 1, start: 0, end: 11 },
          { number: 2, start: 13, end: 25 },
        ],
      },
      { title: 'B', pages },
    ]);
  } finally {
    await stores.close();
  }
});
