import { constants, deflateRawSync, deflateSync } from 'node:zlib';

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

/** A PDF of one page with this content. */
export function crowdedPdf(content: string): Uint8Array {
  return onePagePdf(deflateSync(Buffer.from(content)));
}
