import { madeDocx, madeZip } from './made-files';
import { readAll, toldProblems, useSourceFolder } from './source-folder';

const folder = useSourceFolder();

describe('Word documents', () => {
  it('reads a Word document by its headings, with lists, tables, notes, and nothing hidden', async () => {
    const { records, problems } = await readAll(
      await folder.write('trial.docx', await madeDocx('It helps.')),
    );
    expect(problems).toEqual([]);
    const [record] = records;
    expect(record).toMatchObject({
      title: 'Vitamin D and bones',
      author: 'Ada Lovelace',
      file: 'trial.docx',
    });
    expect(record?.content).toBe(
      '# Vitamin D and bones\n\nIt helps.\n\nAfter a year.\n\n## Results\n\n- Bone density rose.\n\n' +
        'Group: Vitamin D; Change: +1.2 %.',
    );
    expect(record?.pages?.map(({ name }) => name)).toEqual(['“Vitamin D and bones”', '“Results”']);
  });

  const RELATIONS =
    '<Relationships><Relationship Id="a" Type="http://x/officeDocument" Target="word/document.xml"/></Relationships>';

  const wordDocument = (xml: string): Promise<Uint8Array> =>
    madeZip({ '_rels/.rels': RELATIONS, 'word/document.xml': xml });

  it('skips deleted text and fallbacks for older programs', async () => {
    const xml =
      '<w:document><w:body><w:p><w:del><w:r><w:delText>No. </w:delText></w:r></w:del><w:ins><w:r><w:t>Yes.</w:t></w:r></w:ins>' +
      '<mc:AlternateContent><mc:Choice><w:r><w:t> New.</w:t></w:r></mc:Choice><mc:Fallback><w:r><w:t> Old.</w:t></w:r></mc:Fallback></mc:AlternateContent>' +
      '<w:r><w:instrText>PAGE</w:instrText></w:r></w:p></w:body></w:document>';
    const { records } = await readAll(await folder.write('a.docx', await wordDocument(xml)));
    expect(records[0]?.content).toBe('Yes. New.');
  });

  it('says what is wrong with a document that cannot be read', async () => {
    const good = await madeDocx('It helps.');
    await folder.write('a-cut.docx', good.slice(0, good.length - 200));
    await folder.write('b-lacking.docx', await madeZip({ 'word/document.xml': '<a/>' }));
    await folder.write('c-broken.docx', await wordDocument('<w:document><w:body>'));
    await folder.write('d-empty.docx', await wordDocument('<w:document><w:body/></w:document>'));
    await folder.write('e-old.docx', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]));
    await folder.write('f-other.docx', await madeZip({ 'photo.txt': 'x' }));
    const { records, problems } = await readAll(folder.path);
    expect(records).toEqual([]);
    expect(toldProblems(problems, folder)).toEqual([
      'a-cut.docx: it is an archive (ZIP), or an Office document, that is cut off; get it anew',
      'b-lacking.docx: it says nowhere which part of it is the document; save it anew',
      expect.stringMatching(/^c-broken\.docx: its XML is broken: .*; save it anew$/),
      'd-empty.docx: it has no text, only images, it seems; have its text recognised (OCR) first',
      'e-old.docx: it is a file of an old Office, or an encrypted one; save it as .docx, .pptx or .xlsx, without a password',
      'f-other.docx: it is an archive (ZIP) of something else than a document; unpack it',
    ]);
  });
});

describe('EPUB books', () => {
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
});
