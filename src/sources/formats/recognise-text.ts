import { performance } from 'node:perf_hooks';
import { errorMessage } from '../../lib/errors';
import { compactRanges } from '../../report/answer-citations';
import { decodeGreyPng, encodePgm, type GreyImage, scaleGrey } from './grey-image';
import { findOcrPackages, INSTALL_OCR, type OcrEngine, type OcrPackages, openOcrEngine } from './ocr-engine';
import { countText, type DocumentPart } from './parsed-document';
import { joinReadings, type RecognisedText } from './recognised-words';

/** A page takes 3 to 8 s on two cores. The limits leave time within the 120 s of a document. */
const MAX_PAGES = 50;
const PAGE_MS = 40_000;
const ALL_MS = 75_000;

/** A part may take 20 s without a word of it. */
const BEAT_MS = 5_000;

/** The recogniser is made for text of this resolution; the second reading is smaller, and errs elsewhere. */
const FIRST_DPI = 300;
const SECOND_SCALE = 0.7;
const MAX_ENLARGED = 3;
/** A page of A4 at 300 dpi has 9 million. */
const MAX_READ_PIXELS = 20_000_000;

/** Pages that lie on their side, handwriting and pictures have less than 45 % and more than half. */
const MIN_CONFIDENCE = 60;
const MAX_ILLEGIBLE = 0.35;

/** Null if the page has no image of a page. */
export type LoadPageImage = (page: number) => Promise<{ image: GreyImage; dpi: number } | null>;

export type RecognisedParts =
  | { ok: true; parts: DocumentPart[]; remarks: string[] }
  /** No page has a text. */
  | { ok: false; message: string };

/** Recognises the text of pages without one. `onPart` is called before each. */
export async function recogniseParts(
  parts: readonly DocumentPart[],
  load: LoadPageImage,
  onPart: (part: number) => void,
  packages: OcrPackages | null = findOcrPackages(),
): Promise<RecognisedParts> {
  const empty = parts.flatMap(({ text }, at) => (text.trim() === '' ? [at + 1] : []));
  if (empty.length === 0) return { ok: true, parts: [...parts], remarks: [] };
  if (packages === null) return withoutRecogniser(parts, empty);
  const outcomes = new Map<number, PageOutcome>();
  const recogniser = createRecogniser(packages);
  const began = performance.now();
  try {
    for (const page of empty) {
      if (countScans(outcomes) >= MAX_PAGES || performance.now() - began > ALL_MS) break;
      outcomes.set(page, await recognisePage(page, { load, onPart, recogniser }));
    }
  } finally {
    await recogniser.close();
  }
  return withOutcomes(parts, empty, outcomes);
}

/** Text of one image in any format that the recogniser reads. Rejects for other bytes. */
export async function recogniseImage(
  bytes: Uint8Array,
  packages: OcrPackages,
  onPart: (part: number) => void,
): Promise<RecognisedText | 'too-slow'> {
  const recogniser = createRecogniser(packages);
  const stopBeat = startBeat(() => onPart(1));
  try {
    return await recogniser.readBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  } finally {
    stopBeat();
    await recogniser.close();
  }
}

function startBeat(beat: () => void): () => void {
  beat();
  const timer = setInterval(beat, BEAT_MS);
  return () => clearInterval(timer);
}

/** Such as `recognised text (confidence 94 %)`. */
export function recognisedName({ confidence }: RecognisedText): string {
  return `recognised text (confidence ${confidence} %)`;
}

/** Null if the text can be used. */
export function refusal({ text, words, illegible, confidence }: RecognisedText): string | null {
  if (words === 0 || text === '') return 'no text was recognised';
  if (confidence >= MIN_CONFIDENCE && illegible <= MAX_ILLEGIBLE * words) return null;
  const share = Math.round((illegible / words) * 100);
  return `could not be recognised well enough (confidence ${confidence} %, ${share} % of its words illegible); scan it at 300 dpi`;
}

/** For example `its 2 pages are recognised text (OCR, mean confidence 93 %, 4 of 812 words illegible); check …`. */
export function recognisedRemark(what: string, read: readonly RecognisedText[]): string {
  const sum = (field: 'words' | 'illegible'): number => read.reduce((all, one) => all + one[field], 0);
  const weighted = read.reduce((all, { confidence, words }) => all + confidence * words, 0);
  const illegible = sum('illegible');
  const lost =
    illegible === 0
      ? ''
      : `, ${illegible.toLocaleString('en')} of ${countText(sum('words'), 'word')} illegible`;
  return `${what} recognised text (OCR, mean confidence ${Math.round(weighted / sum('words'))} %${lost}); check figures against the scan`;
}

const NO_SCAN = 'no scan that can be read';

type PageOutcome = { read: RecognisedText } | { why: string };

interface PageSteps {
  load: LoadPageImage;
  onPart: (part: number) => void;
  recogniser: Recogniser;
}

async function recognisePage(page: number, { load, onPart, recogniser }: PageSteps): Promise<PageOutcome> {
  const stopBeat = startBeat(() => onPart(page));
  try {
    const loaded = await withinMs(load(page), PAGE_MS);
    if (loaded === null) return { why: NO_SCAN };
    const read = loaded === 'too-slow' ? loaded : await recogniser.read(loaded.image, loaded.dpi);
    if (read === 'too-slow') return { why: `not recognised within ${PAGE_MS / 1_000} s` };
    const refused = refusal(read);
    return refused === null ? { read } : { why: refused };
  } catch (error) {
    return { why: `not recognised (${errorMessage(error)})` };
  } finally {
    stopBeat();
  }
}

function withoutRecogniser(parts: readonly DocumentPart[], empty: readonly number[]): RecognisedParts {
  if (empty.length === parts.length)
    return noText(parts, `, only images, it seems; to have their text recognised: ${INSTALL_OCR}`);
  const remark = `to have the text of scanned pages recognised (perhaps ${pagesText(empty)}): ${INSTALL_OCR}`;
  return { ok: true, parts: [...parts], remarks: [remark] };
}

function noText(parts: readonly DocumentPart[], why: string): RecognisedParts {
  const pages = `its ${countText(parts.length, 'page')} ${parts.length === 1 ? 'has' : 'have'}`;
  return { ok: false, message: `${pages} no text${why}` };
}

function withOutcomes(
  parts: readonly DocumentPart[],
  empty: readonly number[],
  outcomes: ReadonlyMap<number, PageOutcome>,
): RecognisedParts {
  const read: RecognisedText[] = [];
  const reasons = new Map<string, number[]>();
  const late =
    countScans(outcomes) >= MAX_PAGES ? `more than ${MAX_PAGES} scanned pages` : 'it took too long';
  const named = parts.map((part, at) => {
    if (!empty.includes(at + 1)) return part;
    const outcome = outcomes.get(at + 1) ?? { why: `not recognised: ${late}; split it into parts` };
    if ('read' in outcome) {
      read.push(outcome.read);
      return { ...part, text: outcome.read.text, name: `page ${at + 1}, ${recognisedName(outcome.read)}` };
    }
    reasons.set(outcome.why, [...(reasons.get(outcome.why) ?? []), at + 1]);
    return part;
  });
  const problems = [...reasons].map(([why, pages]) => `${pagesText(pages)}: ${why}`);
  if (empty.length === parts.length && read.length === 0) return noText(parts, ` (${problems.join('; ')})`);
  const some = read.length === parts.length ? '' : `${read.length} of `;
  const what = `${some}its ${countText(parts.length, 'page')} ${read.length === 1 ? 'is' : 'are'}`;
  return {
    ok: true,
    parts: named,
    remarks: [
      ...(read.length === 0 ? [] : [recognisedRemark(what, read)]),
      // Empty pages are counted by the caller.
      ...problems.filter((problem) => !problem.endsWith(NO_SCAN)),
    ],
  };
}

/** Without the empty pages. */
function countScans(outcomes: ReadonlyMap<number, PageOutcome>): number {
  return [...outcomes.values()].filter((outcome) => 'read' in outcome || outcome.why !== NO_SCAN).length;
}

function pagesText(pages: readonly number[]): string {
  return `page${pages.length === 1 ? '' : 's'} ${compactRanges(pages)}`;
}

interface Recogniser {
  read(image: GreyImage, dpi: number): Promise<RecognisedText | 'too-slow'>;
  readBytes(bytes: Buffer): Promise<RecognisedText | 'too-slow'>;
  close(): Promise<void>;
}

/** Two engines read at the same time. They start with the first image, and anew after one that takes too long. */
function createRecogniser(packages: OcrPackages): Recogniser {
  let engines: Promise<[OcrEngine, OcrEngine]> | null = null;
  const open = (): Promise<[OcrEngine, OcrEngine]> =>
    (engines ??= Promise.all([openOcrEngine(packages), openOcrEngine(packages)]));
  const close = async (): Promise<void> => {
    const opened = engines;
    engines = null;
    for (const engine of (await opened?.catch(() => null)) ?? []) await engine.close();
  };
  const within = async <Result>(work: Promise<Result>): Promise<Result | 'too-slow'> => {
    const result = await withinMs(work, PAGE_MS);
    if (result === 'too-slow') await close();
    return result;
  };
  const readTwice = async (image: GreyImage, dpi: number): Promise<RecognisedText> => {
    const [one, two] = await open();
    const pixels = image.width * image.height;
    const enlarged = Math.min(FIRST_DPI / dpi, MAX_ENLARGED, Math.sqrt(MAX_READ_PIXELS / pixels));
    const larger = scaleGrey(image, enlarged);
    const smaller = scaleGrey(image, enlarged * SECOND_SCALE);
    const [first, second] = await Promise.all([
      one.recognise(encodePgm(larger), Math.round(dpi * enlarged)),
      two.recognise(encodePgm(smaller), Math.round(dpi * enlarged * SECOND_SCALE)),
    ]);
    return joinReadings(first, second, { scale: smaller.width / larger.width, enlarged });
  };
  return {
    read: (image, dpi) => within(readTwice(image, dpi)),
    readBytes: (bytes) =>
      within(
        open()
          .then(([engine]) => engine.greyPng(bytes))
          .then((png) => {
            const image = decodeGreyPng(png);
            return readTwice(image, guessDpi(image));
          }),
      ),
    close,
  };
}

const PAGE_INCHES = 11.7;

/** As if the image were a page of A4, because cameras and screens write resolutions that mean nothing. */
function guessDpi({ width, height }: GreyImage): number {
  return Math.max(72, Math.round(Math.max(width, height) / PAGE_INCHES));
}

async function withinMs<Result>(work: Promise<Result>, ms: number): Promise<Result | 'too-slow'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'too-slow'>((resolve) => (timer = setTimeout(() => resolve('too-slow'), ms)));
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
