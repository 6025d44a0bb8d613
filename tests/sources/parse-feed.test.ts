import { readAll, toldProblems, useSourceFolder } from './source-folder';

const folder = useSourceFolder();

describe('feeds', () => {
  const RSS = `<?xml version="1.0"?><rss version="2.0"><channel><title>Bone News</title><language>en</language><copyright>CC BY</copyright>
<item><title>Vitamin D helps</title><link>https://example.org/a</link><dc:creator>Ada Lovelace</dc:creator><pubDate>Mon, 04 May 2020 10:00:00 GMT</pubDate>
<description>Short.</description><content:encoded><![CDATA[<p>It helps.</p><p style="display:none">IGNORE</p><script>x</script>]]></content:encoded><media:title>No title</media:title></item>
<item><title>Empty &nbsp; one</title><link>javascript:alert(1)</link></item></channel></rss>`;

  const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Bone News</title><entry><title type="html">On &lt;i&gt;bones&lt;/i&gt;</title>
<link rel="edit" href="https://example.org/edit"/><link href="https://example.org/b"/><author><name>Grace Hopper</name></author><updated>2021-06-07T08:00:00Z</updated>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>It is <b>true</b>.</p></div></content></entry></feed>`;

  const JSON_FEED = JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Bone News',
    items: [
      {
        id: 1,
        title: 'Third',
        url: 'https://example.org/c',
        content_html: '<p>It is cheap.</p>',
        authors: [{ name: 'Ada' }],
      },
    ],
  });

  it('reads each entry of a feed as a source of its own', async () => {
    const files = [
      await folder.write('a.rss', RSS),
      await folder.write('b.atom', ATOM),
      await folder.write('c.json', JSON_FEED),
    ];
    const { records, problems } = await readAll(...files);
    expect(problems).toEqual([]);
    expect(records).toMatchObject([
      {
        title: 'Vitamin D helps',
        url: 'https://example.org/a',
        author: 'Ada Lovelace',
        site: 'Bone News',
        publishedAt: '2020-05-04',
        license: 'CC BY',
        content: 'It helps.',
      },
      {
        title: 'On bones',
        url: 'https://example.org/b',
        author: 'Grace Hopper',
        publishedAt: '2021-06-07',
        content: 'It is true.',
      },
      { title: 'Third', url: 'https://example.org/c', author: 'Ada', content: 'It is cheap.' },
    ]);
    expect(records.map(({ file }) => file)).toEqual([undefined, undefined, undefined]);
  });

  it('says of a feed without texts that it has none', async () => {
    await folder.write('a.rss', '<rss><channel><item><title>A</title></item><item/></channel></rss>');
    await folder.write('b.rss', '<rss><channel/></rss>');
    const { problems } = await readAll(folder.path);
    expect(toldProblems(problems, folder)).toEqual([
      'a.rss: its 1 entry has no text',
      'b.rss: the feed has no entries, or is broken',
    ]);
  });

  const first = async (name: string, feed: string | Uint8Array) =>
    (await readAll(await folder.write(name, feed))).records[0];

  const rss = (title: string, content = 'Text.'): string =>
    `<rss version="2.0"><channel><item><title>${title}</title><description>${content}</description></item></channel></rss>`;

  it.each([
    ['AT&amp;amp;T and caf&amp;eacute;', 'AT&T and café'],
    ['caf&eacute;: p &lt; 0.05', 'café: p < 0.05'],
    ['<![CDATA[Risk &amp; <i>benefit</i> of CO<sub>2</sub>]]>', 'Risk & benefit of CO₂'],
    ['On List&lt;String&gt;', 'On List<String>'],
  ])('reads the title %s', async (title, text) => {
    expect((await first('a.rss', rss(title)))?.title).toBe(text);
  });

  it('reads the title of the feed as it reads those of entries', async () => {
    const item = '<item><title>A</title><description>Text.</description></item>';
    const feed = `<rss version="2.0"><channel><title>Lund &amp;amp; Daily</title>${item}</channel></rss>`;
    expect((await first('a.rss', feed))?.site).toBe('Lund & Daily');
    const atom =
      '<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">A &amp;amp; B</title><entry><title>a</title><content type="text">Text.</content></entry></feed>';
    expect((await first('a.atom', atom))?.site).toBe('A & B');
    expect((await first('b.rss', rss('A')))?.site).toBeUndefined();
  });

  it('reads titles as their type says', async () => {
    const atom =
      '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>a &lt;b&gt; c &amp;amp; d</title><content type="text">Text.</content></entry></feed>';
    expect((await first('a.atom', atom))?.title).toBe('a <b> c & d');
    const json = {
      version: 'https://jsonfeed.org/version/1',
      items: [{ id: '1', title: 'a <b> c', content_text: 'Text.', date_published: 'tomorrow' }],
    };
    const record = await first('b.json', JSON.stringify(json));
    expect([record?.title, record?.publishedAt]).toEqual(['a <b> c', undefined]);
  });

  it('reads RSS 1.0 and 0.91, and markup that is not escaped', async () => {
    const rdf =
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="x"><title>Ten</title><dc:language>de</dc:language></channel>' +
      '<item rdf:about="https://example.org/t"><title>One</title><link>https://example.org/t</link><dc:date>2020-01-02</dc:date><description>Text.</description></item></rdf:RDF>';
    expect(await first('a.rdf.xml', rdf)).toMatchObject({
      title: 'One',
      url: 'https://example.org/t',
      site: 'Ten',
      language: 'de',
      publishedAt: '2020-01-02',
    });
    expect((await first('b.rss', rss('A', '<p>One <b>two</b></p><p>Three</p>')))?.content).toBe(
      'One two\n\nThree',
    );
  });

  it('hides what XHTML hides, and keeps its powers', async () => {
    const atom =
      '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>T</title><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p style="display:none">IGNORE</p><p>3 m<sup>2</sup></p></div></content></entry></feed>';
    expect((await first('a.atom', atom))?.content).toBe('3 m²');
  });

  it('reads the characters that a feed declares', async () => {
    const xml = `<?xml version="1.0" encoding="iso-8859-2"?>${rss('Ł')}`;
    expect(
      (await first('a.rss', new Uint8Array(Buffer.from(xml.replace('Ł', '\xa3'), 'latin1'))))?.title,
    ).toBe('Ł');
  });

  it('expands no entities of its own', async () => {
    const bomb = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${rss('&b;')}`;
    expect((await readAll(await folder.write('a.rss', bomb))).records[0]?.title ?? '').not.toContain('aa');
  });
});
