import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { degrees, PDFDocument } from 'pdf-lib';
import { getDocumentProxy } from 'unpdf';
import { decodeGreyPng, type GreyImage, scaleGrey } from '../../src/sources/formats/grey-image';
import { findOcrPackages, INSTALL_OCR } from '../../src/sources/formats/ocr-engine';
import { pageImage } from '../../src/sources/formats/page-images';
import { parseImage } from '../../src/sources/formats/parse-image';
import { recogniseParts } from '../../src/sources/formats/recognise-text';
import { joinReadings, type RecognisedBlock } from '../../src/sources/formats/recognised-words';
import { madePdf } from './made-files';
import { readAll, toldProblems, useSourceFolder } from './source-folder';

const folder = useSourceFolder();

/** Eight lines of print at 200 dpi, with 412, 398, 3.4, 0.8, 128 ± 12, −4.5 and 10³. */
const readScan = (): Promise<Buffer> => readFile(join(__dirname, 'scanned-page.png'));

/** A PDF of images, each of the size of its page. */
async function scannedPdf(images: readonly Uint8Array[], turned = 0): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  for (const bytes of images) {
    const image = await pdf.embedPng(bytes);
    const [width, height] = [image.width * 0.36, image.height * 0.36];
    const page = pdf.addPage(turned === 0 ? [width, height] : [height, width]);
    page.setRotation(degrees(turned));
    const upright = { x: 0, y: 0, width, height };
    // Shown turned clockwise by 90 degrees, so stored turned to the left.
    page.drawImage(image, turned === 0 ? upright : { ...upright, x: height, rotate: degrees(90) });
  }
  return pdf.save();
}

const blank: GreyImage = { width: 40, height: 40, pixels: new Uint8Array(1_600).fill(255) };

/** Grey noise without any text; the seed is fixed. */
function noise(width: number, height: number): GreyImage {
  let seed = 1;
  const pixels = Uint8Array.from({ length: width * height }, () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % 256;
  });
  return scaleGrey({ width, height, pixels }, 4);
}

describe('recognition of scans', () => {
  it('reads a scanned page, names its place with the confidence, and marks signs that it cannot read', async () => {
    const file = await folder.write('scan.pdf', await scannedPdf([await readScan()]));
    const { records, problems } = await readAll(file);
    expect(problems).toEqual([]);
    const [record] = records;
    expect(record?.content).toMatch(/^Vitamin D in older adults/);
    const text = record?.content.replace(/\s+/g, ' ') ?? '';
    expect(text).toContain('The treated group had 412 people and the control group had 398.');
    expect(text).toContain(
      'rose by 3.4 percent in the treated group and by 0.8 percent in the control group.',
    );
    expect(record?.pages).toMatchObject([{ number: 1, start: 0, end: record?.content.length }]);
    expect(record?.pages?.[0]?.name).toMatch(/^page 1, recognised text \(confidence 9\d %\)$/);
    // 128 ± 12 is read as 128 + 12, and 10³ as 103.
    expect(text).toContain('The mean dose was 128 [illegible] units a day');
    expect(text).toContain('the plant makes [illegible] tonnes of it in a year.');
  });

  it('turns a page as it is shown', async () => {
    const { width, height, pixels } = decodeGreyPng(await readScan());
    const pdf = await getDocumentProxy(await scannedPdf([await readScan()], 90), { verbosity: 0 });
    const seen = await pageImage(pdf, 1);
    expect(seen).toMatchObject({ dpi: 200, image: { width, height } });
    const differing = pixels.filter((pixel, at) => pixel !== seen?.image.pixels[at]).length;
    expect(differing / pixels.length).toBeLessThan(0.02);
  });

  it('reads an image that is named, and none that only lies in a folder', async () => {
    const image = await folder.write('page.png', await readScan());
    await folder.write('note.txt', 'A note.');
    const named = await readAll(image);
    expect(named.records[0]).toMatchObject({ mediaType: 'image/png', file: 'page.png' });
    expect(named.records[0]?.content).toContain('412 people');
    const all = await readAll(folder.path);
    expect(all.records.map(({ content }) => content)).toEqual(['A note.']);
    expect(all.problems).toEqual([]);
  });

  it('refuses noise, and keeps the pages that have a text', async () => {
    const parts = [{ text: 'Printed text.' }, { text: '' }];
    const image = noise(40, 40);
    const read = await recogniseParts(
      parts,
      () => Promise.resolve({ image, dpi: 100 }),
      () => undefined,
    );
    expect(read).toMatchObject({ ok: true, parts });
    expect(read.ok ? read.remarks : []).toEqual([expect.stringMatching(/^page 2: (?:could not be|no text)/)]);
  });

  it('reads at most 50 pages of a document', async () => {
    const parts = Array.from({ length: 52 }, () => ({ text: '' }));
    const seen: number[] = [];
    const load = (page: number): Promise<{ image: GreyImage; dpi: number }> => {
      seen.push(page);
      return Promise.resolve({ image: blank, dpi: 300 });
    };
    expect(await recogniseParts(parts, load, () => undefined)).toEqual({
      ok: false,
      message:
        'its 52 pages have no text (pages 1-50: no text was recognised; pages 51, 52: not recognised: more than 50 scanned pages; split it into parts)',
    });
    expect(seen).toHaveLength(50);
  });

  it('skips a scan with the command that adds the recognition, where it is not installed', async () => {
    const none = findOcrPackages([]);
    expect(none).toBeNull();
    const load = (): Promise<null> => Promise.reject(new Error('not asked for'));
    expect(await recogniseParts([{ text: '' }, { text: '' }], load, () => undefined, none)).toEqual({
      ok: false,
      message: `its 2 pages have no text, only images, it seems; to have their text recognised: ${INSTALL_OCR}`,
    });
    expect(await recogniseParts([{ text: 'One.' }, { text: '' }], load, () => undefined, none)).toEqual({
      ok: true,
      parts: [{ text: 'One.' }, { text: '' }],
      remarks: [`to have the text of scanned pages recognised (perhaps page 2): ${INSTALL_OCR}`],
    });
    expect(await parseImage(await readScan(), () => undefined, none)).toEqual({
      ok: false,
      message: `it is a picture; to have its text recognised: ${INSTALL_OCR}`,
    });
    expect(INSTALL_OCR).toBe('npm install tesseract.js@7.0.0 @tesseract.js-data/eng@1.0.0');
  });

  it('uses all languages that are installed, English first', async () => {
    for (const language of ['deu', 'eng'])
      await folder.write(
        `node_modules/@tesseract.js-data/${language}/4.0.0_best_int/${language}.traineddata.gz`,
        'data',
      );
    await folder.write('node_modules/tesseract.js/package.json', '{ "main": "main.js" }');
    await folder.write('node_modules/tesseract.js/main.js', '');
    const found = findOcrPackages([join(folder.path, 'node_modules')]);
    expect(found?.languages).toEqual(['eng', 'deu']);
  });

  it('says of a page without text and image that it has none', async () => {
    const file = await folder.write('empty.pdf', await madePdf(['', '']));
    expect(toldProblems((await readAll(file)).problems, folder)).toEqual([
      'empty.pdf: its 2 pages have no text (pages 1, 2: no scan that can be read)',
    ]);
  });
});

type Glyph = readonly [text: string, top?: number, bottom?: number];

/** A line of words; a word is its characters, 40 pixels high unless said. */
function line(...words: (string | { glyphs: Glyph[]; confidence?: number })[]): RecognisedBlock[] {
  const made = words.map((word, at) => {
    const { glyphs, confidence = 95 } =
      typeof word === 'string' ? { glyphs: [...word].map((text): Glyph => [text]) } : word;
    const box = { x0: at * 200, x1: at * 200 + 150, y0: 100, y1: 140 };
    const symbols = glyphs.map(([text, y0 = 100, y1 = 140]) => ({ text, bbox: { ...box, y0, y1 } }));
    return { text: glyphs.map(([text]) => text).join(''), confidence, bbox: box, symbols };
  });
  return [{ paragraphs: [{ lines: [{ words: made }] }] }];
}

describe('two readings of one image', () => {
  const join = (first: RecognisedBlock[], second = first): string =>
    joinReadings(first, second, { scale: 1, enlarged: 1 }).text;

  it('keeps the words that both have', () => {
    expect(
      join(line('It', 'lost', '4.5', '%', 'of', '1.234'), line('It', 'lost', '4.5%', '', 'of', '1.234')),
    ).toBe('It lost 4.5 % of 1.234');
  });

  it.each([
    ['another figure', '4.5', '45'],
    ['a figure for a word', 'to', '10'],
    ['another word', 'before', 'pefore'],
  ])('marks %s', (_what, one, other) => {
    expect(join(line('It', one, 'kg'), line('It', other, 'kg'))).toBe('It [illegible] kg');
  });

  it('marks a figure whose sign only one of them has', () => {
    expect(join(line('by', '-', '4'), line('by', '', '4'))).toBe('by [illegible]');
  });

  it.each<[string, Glyph[]]>([
    ['an exponent', [['1'], ['0'], ['3', 90, 120]]],
    ['a minus sign read as a digit', [['1'], ['0'], ['7', 118, 121], ['3', 100, 125]]],
    ['a note number', [['1'], ['2', 90, 118]]],
    ['≤ read as <', [['<', 105, 140], ['5']]],
    ['a comma read as a point', [['7'], ['.', 134, 148], ['3']]],
    ['a point read as a comma', [['7'], [',', 134, 140], ['3']]],
    ['an exponent read as a degree', [['1'], ['0'], ['°', 90, 122]]],
  ])('marks %s', (_what, glyphs) => {
    expect(join(line('about', { glyphs }, 'of'))).toBe('about [illegible] of');
  });

  it('keeps degrees and signs at their height', () => {
    const degree: Glyph[] = [['3'], ['7'], ['°', 100, 118]];
    const less: Glyph[] = [['<', 106, 132], ['5']];
    expect(join(line({ glyphs: degree }, 'and', { glyphs: less }))).toBe('37° and <5');
  });

  it('marks words of low confidence, and leaves lines of them out', () => {
    expect(join(line('of', { glyphs: [['9']], confidence: 50 }, 'men'))).toBe('of [illegible] men');
    expect(join(line({ glyphs: [['|']], confidence: 20 }))).toBe('');
  });

  it('marks figures of few pixels, whose points get lost', () => {
    const small = joinReadings(line('rose', '4.5'), line('rose', '4.5'), { scale: 1, enlarged: 3 });
    expect(small).toEqual({ text: 'rose [illegible]', confidence: 95, words: 2, illegible: 1 });
  });
});

describe('grey images', () => {
  it('keeps the mean grey when it is made smaller or larger', async () => {
    const image = { width: 4, height: 2, pixels: Uint8Array.from([0, 0, 255, 255, 0, 0, 255, 255]) };
    for (const scale of [0.5, 3]) {
      const { pixels } = scaleGrey(image, scale);
      const mean = pixels.reduce((sum, pixel) => sum + pixel, 0) / pixels.length;
      expect(mean).toBeCloseTo(127.5, 0);
    }
  });

  it('refuses a PNG that unpacks to more than its size', () => {
    expect(() => decodeGreyPng(Buffer.alloc(40))).toThrow();
  });
});
