import { PDFDocument, PDFHexString, PDFName, StandardFonts } from 'pdf-lib';

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
