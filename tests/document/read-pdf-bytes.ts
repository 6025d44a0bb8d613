import readPdf from '../../src/sources/formats/pdf/pdf-thread';

/** The words of a PDF, as the product reads them where one is a source. */
export async function readPdfBytes(bytes: Uint8Array): Promise<string> {
  const page = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const reading = await readPdf({ bytes: new Uint8Array(bytes), page });
  if (!reading.ok) throw new Error(`The PDF cannot be read: ${reading.why}`);
  return reading.pages.join('\n');
}
