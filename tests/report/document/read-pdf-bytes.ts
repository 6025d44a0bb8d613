import { createDocumentParser } from '../../../src/sources/formats/document-parser';

/** The words of a PDF, as the product reads them where one is a source. */
export async function readPdfBytes(bytes: Uint8Array): Promise<string> {
  const parser = createDocumentParser();
  try {
    const parsed = await parser.parse('pdf', bytes);
    if (!parsed.ok) throw new Error(`The PDF cannot be read: ${parsed.message}`);
    return parsed.documents.map(({ fields }) => fields.content).join('\n');
  } finally {
    await parser.close();
  }
}
