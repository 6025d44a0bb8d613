import { readAll, toldProblems, useSourceFolder } from './source-folder';

const folder = useSourceFolder();

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
    'a.rss: its 2 entries have no text',
    'b.rss: the feed has no entries',
  ]);
});
