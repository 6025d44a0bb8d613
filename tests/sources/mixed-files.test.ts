import { madeDocx } from './made-docx';
import { madePdf } from './made-pdf';
import { madeZip } from './made-zip';
import { readAll, useSourceFolder } from './source-folder';

const folder = useSourceFolder();

const FILES = 200;

/** How a file of each kind is made, with a text of its own. */
const KINDS: readonly (readonly [ending: string, make: (text: string) => Promise<Uint8Array> | string])[] = [
  ['.md', (text) => `# Note\n\n${text}`],
  ['.html', (text) => `<!doctype html><main><h1>Page</h1><p>${text}</p></main>`],
  ['.pdf', (text) => madePdf([text])],
  ['.docx', (text) => madeDocx(text)],
  ['.csv', (text) => `Name,Text\nA,"${text}"`],
  [
    '.rss',
    (text) => `<rss><channel><item><title>A</title><description>${text}</description></item></channel></rss>`,
  ],
];

/** Each bad in its own way. */
async function badFiles(): Promise<[ending: string, content: Uint8Array | string][]> {
  const pdf = await madePdf(['Good text.']);
  const docx = await madeDocx('Good text.');
  const relations =
    '<Relationships><Relationship Id="a" Type="http://x/officeDocument" Target="word/document.xml"/></Relationships>';
  const word = (xml: string): Promise<Uint8Array> =>
    madeZip({ '_rels/.rels': relations, 'word/document.xml': xml });
  return [
    ['.md', ''],
    ['.txt', new Uint8Array([0xff, 0xfe, 0x41, 0])],
    ['.md', '---\ntitle: [\n---\nText.'],
    ['.json', '{"content": "x"'],
    ['.jsonl', '[1]\n'],
    ['.html', '<!doctype html><div id="root"></div><script>run()</script>'],
    ['.html', `<!doctype html>${'<div>'.repeat(5_000)}`],
    ['.pdf', pdf.slice(0, 200)],
    ['.pdf', await madePdf(['Secret.'], { encrypted: true })],
    ['.pdf', await madePdf(['', ''])],
    ['.pdf', new Uint8Array([0, 1, 2])],
    ['.docx', docx.slice(0, docx.length / 2)],
    ['.docx', await word('<w:document><w:body>')],
    [
      '.docx',
      await word(`<!DOCTYPE x [<!ENTITY a "b">]><w:document><w:body><w:p>&a;</w:p></w:body></w:document>`),
    ],
    ['.docx', new Uint8Array([0xd0, 0xcf, 0x11, 0xe0])],
    ['.epub', await madeZip({ 'META-INF/container.xml': '<a/>' })],
    ['.xlsx', await madeZip({ 'xl/workbook.xml': '<a/>' })],
    ['.csv', ''],
    ['.rss', '<rss><channel/></rss>'],
    ['.pdf', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])],
  ];
}

it('reads 200 mixed files of which one in ten is bad in its own way, and names each of these', async () => {
  const bad = await badFiles();
  const badNames: string[] = [];
  for (let at = 0; at < FILES; at += 1) {
    const number = String(at).padStart(3, '0');
    const one = at % 10 === 5 ? bad[(at - 5) / 10] : undefined;
    if (one === undefined) {
      const [ending, make] = KINDS[at % KINDS.length] ?? ['.md', String];
      await folder.write(`${number}${ending}`, await make(`This is text number ${number}.`));
    } else badNames.push(await folder.write(`${number}-bad${one[0]}`, one[1]));
  }
  const { records, problems } = await readAll(folder.path);
  expect(problems.map(({ file }) => file)).toEqual(badNames);
  expect(problems.filter(({ message }) => message.length < 10)).toEqual([]);
  expect(new Set(problems.map(({ message }) => message)).size).toBeGreaterThanOrEqual(16);
  expect(records).toHaveLength(FILES - bad.length);
  const numbers = records.map(({ content }) => /text number (\d+)/.exec(content)?.[1]);
  expect(new Set(numbers).size).toBe(FILES - bad.length);
  for (const { content, pages = [] } of records)
    for (const { start, end } of pages) expect(content.slice(start, end)).toMatch(/\S/);
});
