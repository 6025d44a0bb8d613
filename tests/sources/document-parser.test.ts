import { createDocumentParser, type DocumentParser } from '../../src/sources/formats/parsing/document-parser';
import type { ParseLimits } from '../../src/sources/formats/parsing/parse-limits';
import { crowdedPdf, inflatingPdf } from './one-page-pdf';
import { madePdf } from './made-pdf';

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
