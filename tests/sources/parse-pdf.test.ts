import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import {
  createDocumentParser,
  type DocumentParser,
  type ParseLimits,
} from '../../src/sources/formats/document-parser';
import { joinParts } from '../../src/sources/formats/parse-format';
import type { PageItem } from '../../src/sources/formats/pdf-fragments';
import { pageText } from '../../src/sources/formats/pdf-layout';
import { BUILT } from '../support/build';
import { untilTrue } from '../support/until';
import { crowdedPdf, inflatingPdf, madePdf } from './made-files';
import { readAll, toldProblems, useSourceFolder } from './source-folder';

describe('PDF files', () => {
  const folder = useSourceFolder();

  it('reads a PDF page by page, with what it says of itself', async () => {
    const about = { title: 'On walking and health', author: 'Ada Lovelace', created: '2020-05-04' };
    const pages = ['# Walking\n\nIt helps.\nIt is cheap.\n\nAnother paragraph.', 'The second page.'];
    const pdf = await madePdf(pages, about);
    const { records, problems } = await readAll(await folder.write('walk.pdf', pdf));
    expect(problems).toEqual([]);
    const [record] = records;
    expect(record).toMatchObject({
      title: 'On walking and health',
      author: 'Ada Lovelace',
      file: 'walk.pdf',
      content: 'Walking\n\nIt helps.\nIt is cheap.\n\nAnother paragraph.\n\nThe second page.',
    });
    // The file's date of creation is not the text's date of publication.
    expect(record?.publishedAt).toBeUndefined();
    const texts = record?.pages?.map(({ number, start, end }) => [number, record.content.slice(start, end)]);
    expect(texts).toEqual([
      [1, 'Walking\n\nIt helps.\nIt is cheap.\n\nAnother paragraph.'],
      [2, 'The second page.'],
    ]);
  });

  it('joins words that lines have broken, and keeps a hyphen of their own', async () => {
    const text = 'The exam-\nple is well known, long known:\nthe well-\nknown one. An example.';
    const { records } = await readAll(await folder.write('a.pdf', await madePdf([text])));
    expect(records[0]?.content).toBe(
      'The example is well known, long known:\nthe well-known one. An example.',
    );
  });

  it('joins a word whose whole and whose halves stand nowhere else', async () => {
    const text = 'The treat-\nment lowered mor-\ntality.';
    const { records } = await readAll(await folder.write('a.pdf', await madePdf([text])));
    expect(records[0]?.content).toBe('The treatment lowered mortality.');
  });

  it.each([
    [{ title: 'thesis-final.docx' }],
    [{ title: 'untitled' }],
    [{ title: 'Microsoft Word - thesis.doc', author: 'user' }],
    [{ title: '   ', author: 'user@example.org' }],
    [{ title: 'C:\\papers\\my thesis', author: 'admin' }],
  ])('takes no file name and no account for metadata: %j', async (about) => {
    const { records } = await readAll(
      await folder.write('walking_helps.pdf', await madePdf(['Text.'], about)),
    );
    expect(records[0]?.title).toBe('walking helps');
    expect(records[0]?.author).toBeUndefined();
  });

  it('says of every PDF that cannot be read what is wrong and what to do, and reads the others', async () => {
    const good = await madePdf(['Good text.']);
    await folder.write('a-good.pdf', good);
    await folder.write('b-encrypted.pdf', await madePdf(['Secret.'], { encrypted: true }));
    await folder.write('c-scanned.pdf', await madePdf(['', '', '']));
    await folder.write('d-cut.pdf', good.slice(0, 300));
    await folder.write('e-text.pdf', 'Only a text.');
    await folder.write('e2-binary.pdf', new Uint8Array([0, 1, 2, 3]));
    await folder.write('f-empty.pdf', '');
    await folder.write('g-part.pdf', await madePdf(['One.', '', 'Three.']));
    const { records, problems } = await readAll(folder.path);
    expect(records.map(({ content, pages }) => [content, pages?.length])).toEqual([
      ['Good text.', 1],
      ['Only a text.', undefined],
      ['One.\n\nThree.', 3],
    ]);
    expect(toldProblems(problems, folder)).toEqual([
      'b-encrypted.pdf: the PDF is encrypted; save it without a password',
      'c-scanned.pdf: its 3 pages have no text (pages 1-3: no scan that can be read)',
      'd-cut.pdf: the PDF is broken and cannot be opened; save it anew from what it was made of',
      'e2-binary.pdf: it is no PDF, whatever its name says; give it with the ending of what it is',
      'f-empty.pdf: the file is empty',
    ]);
  });

  it('refuses a PDF of more pages than are read', async () => {
    const pages = Array.from({ length: 5_001 }, () => '');
    const { problems } = await readAll(await folder.write('many.pdf', await madePdf(pages)));
    expect(problems).toMatchObject([
      { message: 'the PDF has 5,001 pages; at most 5,000 are read; split it into parts' },
    ]);
  });
});

describe('layout of PDF pages', () => {
  const joinPages = (texts: readonly string[]): ReturnType<typeof joinParts> =>
    joinParts({ fields: {}, parts: texts.map((text) => ({ text })), isPaged: true, isSet: true });

  const item = (text: string, y: number, fontSize = 10, x = 50): PageItem => ({
    text,
    x,
    y,
    width: (text.length * fontSize) / 2,
    fontSize,
  });

  it('sets paragraphs, headings and columns apart', () => {
    const lines = [item('One', 680), item('two.', 668), item('Three.', 640), item('Four.', 690)];
    expect(pageText([item('Heading', 700, 16), ...lines])).toBe('Heading\n\nOne\ntwo.\n\nThree.\n\nFour.');
  });

  it('keeps a line together that comes in parts', () => {
    const parts = [
      item('A ', 100),
      item('  line', 100, 10, 60),
      item('.', 100, 10, 90),
      item(' ', 90),
      item('Next', 88),
    ];
    expect(pageText(parts)).toBe('A line.\nNext');
  });

  it('replaces ligatures and removes invisible characters', () => {
    expect(joinPages(['e\ufb00ect \ufb01ne\u0000\u202e so\u00adft']).content).toBe('effect fine soft');
  });

  it('has no heads that run through its pages, and no page numbers', () => {
    const texts = ['One.', 'Two.', 'Three.', 'Four.', 'Five.'].map(
      (text, at) =>
        `${at % 2 === 0 ? 'Journal of Walking 12' : 'Lovelace and others'}\n\n${text}\n${text} It ends.\n\n${at + 1}`,
    );
    expect(joinPages(texts).content).toBe(
      ['One.', 'Two.', 'Three.', 'Four.', 'Five.'].map((text) => `${text}\n${text} It ends.`).join('\n\n'),
    );
  });

  it('keeps lines whose figures differ without counting the pages', () => {
    const texts = [14, 20, 18, 31, 12].map(
      (deaths) => `Deaths: ${deaths}\n\nThe region had ${deaths} deaths.`,
    );
    expect(joinPages(texts).content).toBe(texts.join('\n\n'));
  });

  it('finds each page at its place in any text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 12 }), (texts) => {
        const { content, pages } = joinPages(texts);
        expect(pages.map(({ number }) => number)).toEqual(texts.map((_text, at) => at + 1));
        let end = 0;
        for (const page of pages) {
          expect(page.start).toBeGreaterThanOrEqual(end);
          expect(page.end).toBeGreaterThanOrEqual(page.start);
          end = page.end;
        }
        expect(end).toBe(content.length);
      }),
    );
  });
});

describe('limits of the document parser', () => {
  /** Far beyond what a test takes; the limit that it is about is its own. */
  const PATIENT: Partial<ParseLimits> = { ms: 500_000, partMs: 500_000, memoryMb: 1_024 };

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
});

describe('parser processes', () => {
  /** Takes many seconds to parse, during which nothing else is looked at. */
  const LONG = crowdedPdf(`${'q '.repeat(6_000_000)}BT /F1 12 Tf 10 200 Td (a) Tj ET`);

  const READS = `const { createDocumentParser } = require(process.argv[1]);
createDocumentParser().parse('pdf', Buffer.from(process.argv[2], 'base64'));`;

  /** What the system knows of a process, empty where it is gone. */
  function told(file: string): string {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch {
      return '';
    }
  }

  const itOnLinux = process.platform === 'linux' ? it : it.skip;

  itOnLinux('leaves no process that parses behind where the one that reads is killed', async () => {
    const parser = path.join(BUILT, 'sources/formats/document-parser.js');
    const reader = spawn(process.execPath, ['-e', READS, parser, Buffer.from(LONG).toString('base64')]);
    const children = `/proc/${reader.pid}/task/${reader.pid}/children`;
    await untilTrue(() => told(children) !== '');
    const child = told(children);
    reader.kill('SIGKILL');
    // Whoever takes over what is left behind may let it stand as ended.
    await untilTrue(() => /^$|\) [ZX] /.test(told(`/proc/${child}/stat`)));
  });
});
