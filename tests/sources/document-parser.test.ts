import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { createDocumentParser, type DocumentParser } from '../../src/sources/formats/parsing/document-parser';
import type { ParseLimits } from '../../src/sources/formats/parsing/parse-limits';
import { madePdf } from './made-pdf';

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
function inflatingPdf(times: number): Uint8Array {
  const chunk = deflateRawSync(Buffer.alloc(CHUNK, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const chunks = Array.from({ length: times }, () => chunk);
  return onePagePdf(
    Buffer.concat([Buffer.from([0x78, 0x9c]), ...chunks, Buffer.from([0x03, 0x00, 0, 0, 0, 0])]),
  );
}

const crowdedPdf = (content: string): Uint8Array => onePagePdf(deflateSync(Buffer.from(content)));

/** Far beyond what a test takes; the limit that it is about is its own. */
const PATIENT: ParseLimits = { ms: 500_000, partMs: 500_000, memoryMb: 1_024 };

let parser: DocumentParser | null = null;
afterEach(() => parser?.close());

const open = (limits: Partial<ParseLimits>): DocumentParser => {
  parser = createDocumentParser({ ...PATIENT, ...limits });
  return parser;
};

/** The next document is read, whatever the one before did. */
async function expectNext(next: DocumentParser): Promise<void> {
  expect(await next.parse('pdf', await madePdf(['Next.']))).toMatchObject({
    ok: true,
    documents: [{ fields: { content: 'Next.' } }],
  });
}

it('ends a page that has more pieces of text than any, before all of them are held', async () => {
  const pdfs = open({});
  const crowded = crowdedPdf('BT /F1 12 Tf 10 200 Td (a) Tj ET\n'.repeat(3_000_000));
  expect(await pdfs.parse('pdf', crowded)).toEqual({
    ok: false,
    message: expect.stringMatching(/^page 1 of the PDF has more than 100,000 pieces of text/) as string,
  });
  await expectNext(pdfs);
});

it('ends a page that takes too long without any text, and names it', async () => {
  const pdfs = open({ partMs: 1_000, memoryMb: 4_096 });
  const endless = crowdedPdf(`${'q '.repeat(3_000_000)}BT /F1 12 Tf 10 200 Td (a) Tj ET`);
  expect(await pdfs.parse('pdf', endless)).toEqual({
    ok: false,
    message: 'page 1 of the PDF was not read within 1 seconds; save it anew, or without that page',
  });
});

it('attack 4: ends a PDF that inflates beyond the memory that one may take, and reads the next', async () => {
  const pdfs = open({ memoryMb: 256 });
  await expectNext(pdfs);
  expect(await pdfs.parse('pdf', inflatingPdf(100))).toEqual({
    ok: false,
    message: 'the PDF takes more memory than there is for one; split it into parts, or save it anew',
  });
  await expectNext(pdfs);
});

it('ends a PDF that takes too long', async () => {
  const pages = Array.from({ length: 400 }, (_, at) => `Page ${at}.\n${'A line of text.\n'.repeat(40)}`);
  const long = await madePdf(pages);
  expect(await open({ ms: 1 }).parse('pdf', long)).toEqual({
    ok: false,
    message: 'the PDF was not read within 0.001 seconds; split it into parts, or save it anew',
  });
});
