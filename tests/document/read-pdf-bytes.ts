import { createPdfReader } from '../../src/sources/formats/pdf/pdf-reader';

/** The words of a PDF, as the product reads them where one is a source. */
export async function readPdfBytes(bytes: Uint8Array): Promise<string> {
  const reader = createPdfReader();
  try {
    const reading = await reader.read(new Uint8Array(bytes));
    if (!reading.ok) throw new Error(`The PDF cannot be read: ${reading.why}`);
    return reading.pages.join('\n');
  } finally {
    await reader.close();
  }
}
