import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { createPdfReader, type PdfReader } from '../../src/sources/formats/pdf/pdf-reader';
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

it('ends a page that has more pieces of text than any, before all of them are held', async () => {
  reader = createPdfReader({ ms: 500_000, pageMs: 500_000, memoryMb: 1_024 });
  const crowded = crowdedPdf('BT /F1 12 Tf 10 200 Td (a) Tj ET\n'.repeat(3_000_000));
  expect(await reader.read(crowded)).toEqual({ ok: false, why: 'too-many-items', pages: 1 });
  expect(await reader.read(await madePdf(['Next.']))).toMatchObject({ ok: true, pages: ['Next.'] });
});

it('ends a page that takes too long without any text, and names it', async () => {
  reader = createPdfReader({ ms: 240_000, pageMs: 1_000, memoryMb: 4_096 });
  const endless = crowdedPdf(`${'q '.repeat(3_000_000)}BT /F1 12 Tf 10 200 Td (a) Tj ET`);
  expect(await reader.read(endless)).toEqual({ ok: false, why: 'too-slow-a-page', pages: 1 });
});

let reader: PdfReader | null = null;
afterEach(() => reader?.close());

it('ends a PDF that inflates beyond the memory that one may take, and reads the next', async () => {
  reader = createPdfReader({ ms: 500_000, pageMs: 500_000, memoryMb: 256 });
  await reader.read(await madePdf(['Warm.']));
  expect(await reader.read(inflatingPdf(100))).toEqual({ ok: false, why: 'too-large', pages: 0 });
  expect(await reader.read(await madePdf(['Next.']))).toMatchObject({ ok: true, pages: ['Next.'] });
});

it('ends a PDF that takes too long', async () => {
  const pages = Array.from({ length: 400 }, (_, at) => `Page ${at}.\n${'A line of text.\n'.repeat(40)}`);
  const long = await madePdf(pages);
  reader = createPdfReader({ ms: 1, pageMs: 120_000, memoryMb: 1_024 });
  expect(await reader.read(long)).toEqual({ ok: false, why: 'too-slow', pages: 0 });
});
