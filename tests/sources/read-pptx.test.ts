import { madeZip } from './made-zip';
import { readAll, toldProblems, useSourceFolder } from './source-folder';

const folder = useSourceFolder();

const relations = (...all: [id: string, kind: string, target: string][]): string =>
  `<Relationships>${all.map(([id, kind, target]) => `<Relationship Id="${id}" Type="http://x/${kind}" Target="${target}"/>`).join('')}</Relationships>`;
const shape = (kind: string, ...paragraphs: string[]): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1"/><p:nvPr><p:ph type="${kind}"/></p:nvPr></p:nvSpPr><p:txBody>${paragraphs.map((text) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`).join('')}</p:txBody></p:sp>`;
const slide = (shapes: string, attributes = ''): string =>
  `<p:sld ${attributes}><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`;

/** A presentation whose slides stand in another order than their files; the notes are those of the first. */
function presentation(slides: readonly string[], notes?: string): Promise<Uint8Array> {
  const numbered = slides.map((xml, at): [string, string] => [`slides/slide${slides.length - at}.xml`, xml]);
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
      slide(shape('title', 'Vitamin D') + shape('body', 'It helps.', 'It is cheap.') + shape('sldNum', '1')),
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
