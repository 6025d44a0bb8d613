import {
  Document,
  FootnoteReferenceRun,
  HeadingLevel,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx';

const row = (...cells: string[]): TableRow =>
  new TableRow({ children: cells.map((cell) => new TableCell({ children: [new Paragraph(cell)] })) });

/** A Word document with what documents have: headings, a list, a table, a note, hidden words. */
export async function madeDocx(text: string): Promise<Uint8Array> {
  const document = new Document({
    title: 'Vitamin D and bones',
    creator: 'Ada Lovelace',
    footnotes: { 1: { children: [new Paragraph('After a year.')] } },
    sections: [
      {
        children: [
          new Paragraph({ text: 'Vitamin D and bones', heading: HeadingLevel.TITLE }),
          new Paragraph({
            children: [
              new TextRun(text),
              new FootnoteReferenceRun(1),
              new TextRun({ text: ' IGNORE', vanish: true }),
              new TextRun({ text: ' IGNORE', color: 'FFFFFF' }),
            ],
          }),
          new Paragraph({ text: 'Results', heading: HeadingLevel.HEADING_2 }),
          new Paragraph({ text: 'Bone density rose.', bullet: { level: 0 } }),
          new Table({ rows: [row('Group', 'Change'), row('Vitamin D', '+1.2 %')] }),
        ],
      },
    ],
  });
  return new Uint8Array(await Packer.toBuffer(document));
}
