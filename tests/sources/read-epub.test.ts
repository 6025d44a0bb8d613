import { madeZip } from './made-zip';
import { readAll, toldProblems, useSourceFolder } from './source-folder';

const folder = useSourceFolder();

const book = (more: Record<string, string> = {}): Promise<Uint8Array> =>
  madeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    'OPS/book.opf':
      '<package><metadata><dc:title>On Bones; a Study</dc:title><dc:creator>Ada Lovelace</dc:creator><dc:date>2020-05-04</dc:date>' +
      '<dc:language>en</dc:language><dc:rights>CC BY 4.0</dc:rights></metadata>' +
      '<manifest><item id="c2" href="two%20b.xhtml" media-type="application/xhtml+xml"/><item id="c1" href="one.xhtml" media-type="application/xhtml+xml"/>' +
      '<item id="i" href="cover.png" media-type="image/png"/></manifest>' +
      '<spine><itemref idref="c1"/><itemref idref="c2"/><itemref idref="i"/></spine></package>',
    'OPS/one.xhtml':
      '<?xml version="1.0"?><html><body><h1>Chapter One</h1><p>It begins.</p><h2>Methods</h2><p>We ask.</p></body></html>',
    'OPS/two b.xhtml': '<html><body><p>It goes on.</p></body></html>',
    ...more,
  });

it('reads a book in the order of its chapters, with what it says of itself', async () => {
  const { records, problems } = await readAll(await folder.write('bones.epub', await book()));
  expect(problems).toEqual([]);
  const [record] = records;
  expect(record).toMatchObject({
    title: 'On Bones; a Study',
    author: 'Ada Lovelace',
    publishedAt: '2020-05-04',
    language: 'en',
    license: 'CC BY 4.0',
    content: '# Chapter One\n\nIt begins.\n\n## Methods\n\nWe ask.\n\nIt goes on.',
  });
  expect(record?.pages?.map(({ name }) => name)).toEqual([
    '“Chapter One”',
    '“Chapter One”, “Methods”',
    '“Chapter One”',
  ]);
});

it('says what is wrong with a book that cannot be read', async () => {
  const encryption = '<encryption><CipherReference URI="OPS/one.xhtml"/></encryption>';
  await folder.write('a-locked.epub', await book({ 'META-INF/encryption.xml': encryption }));
  await folder.write(
    'b-outside.epub',
    await book({ 'META-INF/container.xml': '<a><rootfile full-path="../../etc/passwd"/></a>' }),
  );
  const { problems } = await readAll(folder.path);
  expect(toldProblems(problems, folder)).toEqual([
    'a-locked.epub: it is protected against being read by other programs (DRM); give a copy that is not',
    'b-outside.epub: it lacks ../../etc/passwd; save it anew',
  ]);
});
