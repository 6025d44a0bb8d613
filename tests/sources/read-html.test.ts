import { readAll, toldProblems, useSourceFolder } from './source-folder';

const folder = useSourceFolder();

const TEXT =
  'In a trial of 120 adults, vitamin D raised bone density by 1.2 percent within a year of treatment, compared with placebo.';

const page = (body: string, head = ''): string =>
  `<!DOCTYPE html><html lang="en-GB"><head><title>Vitamin D and bones | A Journal</title>${head}</head><body>${body}</body></html>`;

async function contentOf(html: string, name = 'page.html'): Promise<string | undefined> {
  return (await readAll(await folder.write(name, html))).records[0]?.content;
}

it('reads the text of a page by its headings, without what stands around it', async () => {
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

it('keeps the header of a table whose cells hold lists and code', async () => {
  const html = page(
    `<p>${TEXT}</p><table><tr><th>Option</th><th>Meaning</th></tr><tr><td>mode</td><td><ul><li>fast</li><li>safe</li></ul></td></tr></table>`,
  );
  expect(await contentOf(html)).toBe(
    `${TEXT}\n\n| Option | Meaning |\n| --- | --- |\n| mode | - fast - safe |`,
  );
});

it('leaves out what tells of other texts beside its own, forms to fill in, and remarks in other languages', async () => {
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

it('keeps sections whose headings are links, where no other text is told of', async () => {
  const section = (name: string): string =>
    `<section><h2><a href="#${name}">${name}</a></h2><p>${TEXT}</p><p>See <a href="/${name}">${name}</a>.</p></section>`;
  const content = await contentOf(page(`<h1>All</h1>${section('first')}${section('second')}`));
  expect(content).toContain('## first');
  expect(content).toContain('## second');
});

it('begins with the heading of the page where it stands apart from the text', async () => {
  const html = page(
    `<header><h1>Vitamin D and bones</h1><a href="/">Home</a></header><div><main><p>${TEXT}</p><p>${TEXT}</p></main></div>`,
  );
  expect(await contentOf(html)).toBe(`# Vitamin D and bones\n\n${TEXT}\n\n${TEXT}`);
});

it('reads code in a table without the numbers of its lines', async () => {
  const numbers = Array.from({ length: 6 }, (_, at) => `<a href="#L${at + 1}">${at + 1}</a>`).join('\n');
  const html = page(
    `<p>${TEXT}</p><p>${TEXT}</p><pre><table><tr><td>${numbers}</td><td><pre>a = 1\nb = 2</pre></td></tr></table></pre>`,
  );
  expect(await contentOf(html)).toBe(`${TEXT}\n\n${TEXT}\n\n\`\`\`\na = 1\nb = 2\n\`\`\``);
});

it('finds the text of a page in Chinese, whose paragraphs have few signs', async () => {
  const text = '维生素可以提高成年人的骨密度，一年的研究有一百二十人参加，结果与安慰剂相比有明显的差别。';
  const html = `<html lang="zh"><body><div><p>${text}</p><p>${text}</p></div><div><a href="/a">${text.slice(0, 20)}</a><span>${text.slice(0, 8)}</span></div></body></html>`;
  expect(await contentOf(html)).toBe(`${text}\n\n${text}`);
});

it('attack 8: has no text that nobody sees', async () => {
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
  const links = Array.from({ length: 5 }, (_, at) => `<li><a href="/${at}">Chapter ${at}</a></li>`).join('');
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
