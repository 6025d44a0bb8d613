import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';
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
import { PDFDocument, PDFHexString, PDFName, StandardFonts } from 'pdf-lib';

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

interface MadePdf {
  title?: string;
  author?: string;
  created?: string;
  /** A password is needed to open it. */
  encrypted?: boolean;
}

/** A PDF with a page for each text; an empty text is a page without any. */
export async function madePdf(texts: readonly string[], about: MadePdf = {}): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  if (about.title !== undefined) pdf.setTitle(about.title);
  if (about.author !== undefined) pdf.setAuthor(about.author);
  if (about.created !== undefined) pdf.setCreationDate(new Date(about.created));
  for (const text of texts) {
    const page = pdf.addPage([400, 600]);
    const paragraphs = text.split('\n\n');
    let y = 560;
    for (const [at, paragraph] of text === '' ? [] : paragraphs.entries()) {
      const size = paragraph.startsWith('# ') ? 18 : 11;
      if (at > 0) y -= 20;
      for (const line of paragraph.replace(/^# /, '').split('\n')) {
        page.drawText(line, { x: 40, y, size, font });
        y -= size * 1.2;
      }
    }
  }
  if (about.encrypted === true) {
    const key = PDFHexString.of('ab'.repeat(32));
    const encrypt = { Filter: 'Standard', V: 1, R: 2, P: -4, O: key, U: key };
    pdf.context.trailerInfo.Encrypt = pdf.context.register(pdf.context.obj(encrypt));
    pdf.context.trailerInfo.ID = pdf.context.obj([key, key]);
  }
  pdf.catalog.set(PDFName.of('Lang'), PDFHexString.fromText('en'));
  return pdf.save({ useObjectStreams: false });
}

export async function madeZip(files: Readonly<Record<string, string | Uint8Array>>): Promise<Uint8Array> {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    const deflated = deflateRawSync(bytes);
    const path = Buffer.from(name);
    // Version 2.0, UTF-8 names, deflated, no time, then the sum, both sizes and the length of the name.
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt16LE(0x800, 2);
    facts.writeUInt16LE(8, 4);
    facts.writeUInt32LE(crc32(bytes), 10);
    facts.writeUInt32LE(deflated.length, 14);
    facts.writeUInt32LE(bytes.length, 18);
    facts.writeUInt16LE(path.length, 22);
    local.push(Buffer.from('PK\x03\x04'), facts, path, deflated);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    central.push(Buffer.from('PK\x01\x02\x14\x00'), facts, place, path);
    offset += 30 + path.length + deflated.length;
  }
  const count = Object.keys(files).length;
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(Buffer.concat(central).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, ...central, end]);
}

const CHUNK = 20_000_000;

/** A small PDF of one page with this content, which is compressed. */
function onePagePdf(stream: Buffer): Uint8Array {
  const resources = '/Resources << /Font << /F1 4 0 R >> >>';
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 5 0 R ${resources} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ].map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`);
  const head = `5 0 obj\n<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`;
  const tail = '\nendstream\nendobj\ntrailer\n<< /Size 6 /Root 1 0 R >>\n%%EOF';
  const before = Buffer.from(`%PDF-1.4\n${objects.join('')}${head}`);
  return new Uint8Array(Buffer.concat([before, stream, Buffer.from(tail)]));
}

/** Its content inflates to so many times 20 MB of blanks. */
export function inflatingPdf(times: number): Uint8Array {
  const chunk = deflateRawSync(Buffer.alloc(CHUNK, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const chunks = Array.from({ length: times }, () => chunk);
  return onePagePdf(
    Buffer.concat([Buffer.from([0x78, 0x9c]), ...chunks, Buffer.from([0x03, 0x00, 0, 0, 0, 0])]),
  );
}

export function crowdedPdf(content: string): Uint8Array {
  return onePagePdf(deflateSync(Buffer.from(content)));
}
