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
      '# Vitamin D and bones\n\nIt helps.\n\n## Results\n\n- Bone density rose.\n\n' +
        '| Group | Change |\n| --- | --- |\n| Vitamin D | +1.2 % |\n\n[1] After a year.',
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

describe('PowerPoint slides', () => {
  const relations = (...all: [id: string, kind: string, target: string][]): string =>
    `<Relationships>${all.map(([id, kind, target]) => `<Relationship Id="${id}" Type="http://x/${kind}" Target="${target}"/>`).join('')}</Relationships>`;

  const shape = (kind: string, ...paragraphs: string[]): string =>
    `<p:sp><p:nvSpPr><p:cNvPr id="1"/><p:nvPr><p:ph type="${kind}"/></p:nvPr></p:nvSpPr><p:txBody>${paragraphs.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp>`;

  const slide = (shapes: string, attributes = ''): string =>
    `<p:sld ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;

  /** A presentation whose slides stand in another order than their files; the notes are those of the first. */
  function presentation(slides: readonly string[], notes?: string): Promise<Uint8Array> {
    const numbered = slides.map((xml, at): [string, string] => [
      `slides/slide${slides.length - at}.xml`,
      xml,
    ]);
    const listed = slides.map((_xml, at) => `<p:sldId id="${256 + at}" r:id="r${at}"/>`).join('');
    return madeZip({
      '_rels/.rels': relations(['a', 'officeDocument', 'ppt/presentation.xml']),
      'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${listed}</p:sldIdLst></p:presentation>`,
      'ppt/_rels/presentation.xml.rels': relations(
        ...numbered.map(([path], at): [string, string, string] => [`r${at}`, 'slide', path]),
      ),
      ...Object.fromEntries(numbered.map(([path, xml]) => [`ppt/${path}`, xml])),
      ...(notes === undefined
        ? {}
        : {
            [`ppt/slides/_rels/slide${slides.length}.xml.rels`]: relations([
              'n',
              'notesSlide',
              '../notes/n1.xml',
            ]),
            'ppt/notes/n1.xml': `<p:notes>${shape('sldNum', '1')}${shape('body', notes)}</p:notes>`,
          }),
    });
  }

  it('reads slides in their order with titles, tables and notes, and cites each', async () => {
    const row = (...cells: string[]): string =>
      `<a:tr>${cells.map((text) => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`).join('')}</a:tr>`;
    const pptx = await presentation(
      [
        slide(
          shape('title', 'Vitamin D') + shape('body', 'It helps.', 'It is cheap.') + shape('sldNum', '1'),
        ),
        slide(shape('title', 'Secret'), 'show="0"'),
        slide(`<p:graphicFrame><a:tbl>${row('Group', 'Change')}${row('All', '+1')}</a:tbl></p:graphicFrame>`),
        slide('<p:pic/>'),
      ],
      'Said aloud.',
    );
    const { records, problems } = await readAll(await folder.write('talk.pptx', pptx));
    expect(problems).toEqual([]);
    const [record] = records;
    expect(record?.content).toBe(
      '## Vitamin D\n\nIt helps.\n\nIt is cheap.\n\nNotes: Said aloud.\n\n| Group | Change |\n| --- | --- |\n| All | +1 |',
    );
    expect(record?.pages?.map(({ name }) => name)).toEqual(['slide 1', 'slide 3', 'slide 4']);
  });

  it('says of slides that are only images that they are', async () => {
    const { problems } = await readAll(
      await folder.write('talk.pptx', await presentation([slide('<p:pic/>')])),
    );
    expect(toldProblems(problems, folder)).toEqual([
      'talk.pptx: its 1 slide has no text, only images, it seems; have its text recognised (OCR) first',
    ]);
  });
});

describe('web pages', () => {
  const TEXT =
    'In a trial of 120 adults, vitamin D raised bone density by 1.2 percent within a year of treatment, compared with placebo.';

  const page = (body: string, head = ''): string =>
    `<!DOCTYPE html><html lang="en-GB"><head><title>Vitamin D and bones | A Journal</title>${head}</head><body>${body}</body></html>`;

  async function contentOf(html: string, name = 'page.html'): Promise<string | undefined> {
    return (await readAll(await folder.write(name, html))).records[0]?.content;
  }

  it('reads the text of a page by its headings, without navigation', async () => {
    const html = page(
      `<nav><a href="/">Home</a> <a href="/a">About us</a></nav><div class="sidebar"><p>${TEXT.replace('trial', 'advertisement')}</p></div>
     <main><h1>Vitamin D and bones</h1><p>${TEXT}</p><p>${TEXT.replace('raised', 'kept')}</p>
     <h2>Methods<a href="#m">¶</a></h2><p>${TEXT.replace('120', '10<sup>3</sup>')}</p>
     <ul class="related"><li><a href="/x">Another article to read</a></li><li><a href="/y">And one more of them</a></li></ul></main>
     <footer>All rights reserved.</footer>`,
      '<meta name="citation_author" content="Ada Lovelace"><meta name="citation_author" content="Grace Hopper">' +
        '<meta property="article:published_time" content="2020-05-04"><link rel="license" href="https://creativecommons.org/licenses/by/4.0/">',
    );
    const { records, problems } = await readAll(await folder.write('trial.html', html));
    expect(problems).toEqual([]);
    const [record] = records;
    expect(record).toMatchObject({
      title: 'Vitamin D and bones',
      author: 'Ada Lovelace; Grace Hopper',
      publishedAt: '2020-05-04',
      license: 'https://creativecommons.org/licenses/by/4.0/',
      language: 'en-GB',
      mediaType: 'text/html',
      file: 'trial.html',
    });
    const methods = `## Methods\n\n${TEXT.replace('120', '10³')}`;
    expect(record?.content).toBe(
      `# Vitamin D and bones\n\n${TEXT}\n\n${TEXT.replace('raised', 'kept')}\n\n${methods}`,
    );
    const places = record?.pages?.map(({ name, start, end }) => [name, record.content.slice(start, end)]);
    expect(places?.[1]).toEqual(['“Methods”', methods]);
  });

  it('has no numbers of notes within its sentences, and the notes behind them', async () => {
    const html = page(
      `<p>It helps.<sup><a href="#n1">1</a></sup> It is cheap.<sup>2,3</sup> Each adult<sup>4</sup> had 3 m<sup>2</sup>.</p><ol><li id="n1">After a year.</li></ol>`,
    );
    expect(await contentOf(html)).toBe('It helps. It is cheap. Each adult had 3 m².\n\n[1] After a year.');
  });

  it('keeps tables with their header, lists, and code', async () => {
    const html = page(
      `<p>${TEXT}</p><table><thead><tr><th>Group</th><th>Change</th></tr></thead><tbody><tr><td>Vitamin D</td><td>+1.2 %</td></tr></tbody></table>
     <ol><li>First</li><li>Second</li></ol><pre><code>a = 1\n  b = 2</code></pre>`,
    );
    expect(await contentOf(html)).toBe(
      `${TEXT}\n\n| Group | Change |\n| --- | --- |\n| Vitamin D | +1.2 % |\n\n1. First\n\n2. Second\n\n\`\`\`\na = 1\n  b = 2\n\`\`\``,
    );
  });

  it('skips teasers, forms and notes in other languages', async () => {
    const teaser = (about: string): string =>
      `<div><h4><a href="/${about}">A study of ${about}</a></h4><p>${TEXT.replace('vitamin D', about)}</p></div>`;
    const html = page(
      `<div class="x"><h1>Vitamin D and bones</h1><p>${TEXT}</p><p>${TEXT.replace('120', '240')}</p></div>
     <div class="y">${teaser('iron')}${teaser('zinc')}</div>
     <form><label>Your address</label><input></form>
     <div id="commentaires"><p>${TEXT.replace('vitamin D', 'garlic')}</p></div>`,
    );
    expect(await contentOf(html)).toBe(`# Vitamin D and bones\n\n${TEXT}\n\n${TEXT.replace('120', '240')}`);
  });

  it('attack 8: has no invisible text', async () => {
    const hidden = [
      '<p style="display:none">IGNORE</p>',
      '<p hidden>IGNORE</p>',
      '<p style="font-size: 0px">IGNORE</p>',
      '<p style="font-size:1px">IGNORE</p>',
      '<p style="color:#fff">IGNORE</p>',
      '<p style="color: rgb(255, 255, 255) !important">IGNORE</p>',
      '<div style="background:#000"><p style="color:black">IGNORE</p></div>',
      '<font color="white">IGNORE</font>',
      '<p style="position:absolute; left:-9999px">IGNORE</p>',
      '<p style="opacity:0">IGNORE</p>',
      '<p style="height:0;overflow:hidden">IGNORE</p>',
      '<span aria-hidden="true">IGNORE</span>',
      '<span class="sr-only">IGNORE</span>',
      '<!-- IGNORE -->',
      '<script>IGNORE</script><style>IGNORE</style><template>IGNORE</template><noscript>IGNORE</noscript>',
      `<p>zero\u200bwidth \u{e0049}\u{e0047}tagged\u202e</p>`,
    ];
    const shown = '<div style="background:#000"><p style="color:#fff">White on black.</p></div>';
    const content = await contentOf(page(`<p>${TEXT}</p>${hidden.join('')}${shown}`));
    expect(content).toBe(`${TEXT}\n\nzerowidth tagged\n\nWhite on black.`);
  });

  it('reads pages in the characters that they are written in', async () => {
    const latin = Buffer.from(page('<p>Größe und Länge</p>', '<meta charset="iso-8859-1">'), 'latin1');
    const { records } = await readAll(await folder.write('a.html', new Uint8Array(latin)));
    expect(records[0]?.content).toBe('Größe und Länge');
  });

  it('reads a list of links where a page is nothing else', async () => {
    const links = Array.from({ length: 5 }, (_, at) => `<li><a href="/${at}">Chapter ${at}</a></li>`).join(
      '',
    );
    expect(await contentOf(page(`<ul>${links}</ul>`))).toContain('- Chapter 3');
  });

  it('says of a page that only scripts write that it has no text', async () => {
    const { problems } = await readAll(
      await folder.write('app.html', page('<div id="root"></div><script>run()</script>')),
    );
    expect(toldProblems(problems, folder)).toEqual([
      'app.html: it has no text; where scripts write it, save the page from a browser as it is shown',
    ]);
  });
});
