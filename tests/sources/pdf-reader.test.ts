import { constants, deflateRawSync } from 'node:zlib';
import { createPdfReader, type PdfReader } from '../../src/sources/formats/pdf/pdf-reader';
import { madePdf } from './made-pdf';

const CHUNK = 20_000_000;

/** A small PDF of one page whose content inflates to so many times 20 MB of blanks. */
function inflatingPdf(times: number): Uint8Array {
  const chunk = deflateRawSync(Buffer.alloc(CHUNK, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const chunks = Array.from({ length: times }, () => chunk);
  const stream = Buffer.concat([Buffer.from([0x78, 0x9c]), ...chunks, Buffer.from([0x03, 0x00, 0, 0, 0, 0])]);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R /Resources << >> >>',
  ].map((object, at) => Buffer.from(`${at + 1} 0 obj\n${object}\nendobj\n`));
  const head = `4 0 obj\n<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`;
  const tail = '\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF';
  return new Uint8Array(
    Buffer.concat([Buffer.from('%PDF-1.4\n'), ...objects, Buffer.from(head), stream, Buffer.from(tail)]),
  );
}

let reader: PdfReader | null = null;
afterEach(() => reader?.close());

it('ends a PDF that inflates beyond the memory that one may take, and reads the next', async () => {
  reader = createPdfReader({ ms: 120_000, memoryMb: 256 });
  await reader.read(await madePdf(['Warm.']));
  expect(await reader.read(inflatingPdf(100))).toEqual({ ok: false, why: 'too-large', pages: 0 });
  expect(await reader.read(await madePdf(['Next.']))).toMatchObject({ ok: true, pages: ['Next.'] });
});

it('ends a PDF that takes too long', async () => {
  const pages = Array.from({ length: 400 }, (_, at) => `Page ${at}.\n${'A line of text.\n'.repeat(40)}`);
  const long = await madePdf(pages);
  reader = createPdfReader({ ms: 1, memoryMb: 1_024 });
  expect(await reader.read(long)).toEqual({ ok: false, why: 'too-slow', pages: 0 });
});
