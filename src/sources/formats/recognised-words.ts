import { append, maxOf } from '../../lib/iterables';

/** The parts of the recogniser's output that are used. Boxes are in pixels from the top left. */
export interface RecognisedBlock {
  paragraphs: { lines: { words: RecognisedWord[] }[] }[];
}

export interface RecognisedWord {
  text: string;
  /** 0 to 100. */
  confidence: number;
  bbox: Box;
  symbols: { text: string; bbox: Box }[];
}

interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface RecognisedText {
  text: string;
  /** Mean of its words, 0 to 100. */
  confidence: number;
  words: number;
  illegible: number;
}

/** Stands for words that are not certain, as in the transcription of manuscripts. */
const ILLEGIBLE = '[illegible]';

/**
 * Measured on 33 made scans of 1,630 figures (75 to 300 dpi, noise, blur, skew, JPEG): one reading has 108 wrong figures,
 * two that agree have 15, and with this confidence 9, all but one of them in scans below 150 dpi.
 */
const MIN_WORD_CONFIDENCE = 60;
/** Of digits, in pixels of the scan: 10 points at 200 dpi, 7 at 300. Decimal points of smaller figures get lost. */
const MIN_DIGIT_HEIGHT = 18;

/** Exponents, note numbers and minus signs are read as digits, at another height than those beside them. */
const MAX_DIGIT_SHIFT = 0.25;

/** The recogniser has no characters for ±, ≤ and ≥, and reads + < >, which end above the line. */
const SIGNS_ABOVE_THE_LINE = /[+<>]/;
const MIN_SIGN_GAP = 0.08;

/** A comma ends below the line. With noise, 7,318 is read as 7.318. */
const COMMA_DEPTH = 0.1;

/** A higher degree sign is an exponent. */
const MAX_DEGREE_HEIGHT = 0.65;

interface Unit {
  text: string;
  words: RecognisedWord[];
}

/**
 * The text of the first of two readings of an image in different sizes. `scale` is the size of the second in units of the
 * first, `enlarged` the size of the first in units of the scan. A word that the readings do not share is `[illegible]`.
 */
export function joinReadings(
  first: readonly RecognisedBlock[],
  second: readonly RecognisedBlock[],
  { scale, enlarged }: { scale: number; enlarged: number },
): RecognisedText {
  const others = second.flatMap(({ paragraphs }) =>
    paragraphs.flatMap(({ lines }) => lines.flatMap(({ words }) => unitsOf(words))),
  );
  const find = indexByRow(others);
  const paragraphs: string[] = [];
  const count = { words: 0, illegible: 0, confidence: 0 };
  for (const paragraph of first.flatMap((block) => block.paragraphs)) {
    const lines: string[] = [];
    for (const { words } of paragraph.lines) {
      const units = unitsOf(words);
      const texts = units.map((unit, at) => {
        const other = find(centreOf(boxOf(unit.words), scale));
        const isCertain =
          other !== undefined &&
          isSameText(unit, other) &&
          [...unit.words, ...other.words].every(({ confidence }) => confidence >= MIN_WORD_CONFIDENCE) &&
          (hasFigure(unit.text)
            ? isCertainFigure(unit, units[at - 1], MIN_DIGIT_HEIGHT * enlarged)
            : !unit.text.startsWith('%')); // ½ without its own character
        return isCertain ? unit.words.map(({ text }) => text).join(' ') : ILLEGIBLE;
      });
      count.words += units.length;
      count.illegible += texts.filter((text) => text === ILLEGIBLE).length;
      for (const { confidence } of words) count.confidence += (confidence / words.length) * units.length;
      const line = texts.filter((text, at) => text !== ILLEGIBLE || texts[at - 1] !== ILLEGIBLE);
      // Specks, stamps and parts of pictures.
      if (line.some((text) => text !== ILLEGIBLE)) lines.push(line.join(' '));
    }
    if (lines.length > 0) paragraphs.push(lines.join('\n'));
  }
  const { words, illegible } = count;
  return {
    text: paragraphs.join('\n\n'),
    confidence: words === 0 ? 0 : Math.round(count.confidence / words),
    words,
    illegible,
  };
}

/** A figure, the signs before it and a percent sign are one unit, so that a lost minus sign is a difference. */
function unitsOf(words: readonly RecognisedWord[]): Unit[] {
  const groups: RecognisedWord[][] = [];
  let signs: RecognisedWord[] = [];
  for (const word of words) {
    const last = groups.at(-1);
    if (
      word.text.startsWith('%') &&
      signs.length === 0 &&
      last?.some(({ text }) => hasFigure(text)) === true
    ) {
      last.push(word);
    } else if (!/[\p{L}\p{N}]/u.test(word.text)) {
      signs.push(word);
    } else {
      if (hasFigure(word.text)) groups.push([...signs, word]);
      else append(groups, [...signs.map((sign) => [sign]), [word]]);
      signs = [];
    }
  }
  append(
    groups,
    signs.map((sign) => [sign]),
  );
  return groups.map((group) => ({ text: normalise(group.map(({ text }) => text).join('')), words: group }));
}

/** Dashes and quotation marks of one kind are not told apart. */
function normalise(text: string): string {
  return text
    .replace(/[‐-―−]/g, '-')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"');
}

function hasFigure(text: string): boolean {
  return /\p{N}/u.test(text);
}

/** Punctuation around words without figures may differ. */
function isSameText(unit: Unit, other: Unit): boolean {
  if (unit.text === other.text) return true;
  if (hasFigure(unit.text) || hasFigure(other.text)) return false;
  const [one, two] = [unit.text, other.text].map((text) => text.replace(/[^\p{L}]/gu, ''));
  return one !== '' && one === two;
}

function isCertainFigure({ text, words }: Unit, before: Unit | undefined, minHeight: number): boolean {
  const symbols = words.flatMap((word) => word.symbols);
  const digits = symbols.filter((symbol) => hasFigure(symbol.text)).map(({ bbox }) => bbox);
  const height = maxOf(digits.map(({ y0, y1 }) => y1 - y0));
  const bottom = maxOf(digits.map(({ y1 }) => y1));
  const isOneRow = digits.every(
    ({ y0, y1 }) => bottom - y1 <= MAX_DIGIT_SHIFT * height && y1 - y0 >= (1 - MAX_DIGIT_SHIFT) * height,
  );
  if (height < minHeight || !isOneRow || text.startsWith('~')) return false;
  // 128 ± 12 is also read as 128 £12.
  if (before !== undefined && hasFigure(before.text) && /^[+£]/.test(text)) return false;
  return symbols.every(({ text: sign, bbox }) => {
    if (sign === '.' || sign === ',') return (sign === ',') === bbox.y1 - bottom > COMMA_DEPTH * height;
    if (SIGNS_ABOVE_THE_LINE.test(sign)) return bottom - bbox.y1 >= MIN_SIGN_GAP * height;
    return sign !== '°' || bbox.y1 - bbox.y0 <= MAX_DEGREE_HEIGHT * height;
  });
}

/** Of the figure among its signs. */
function boxOf(words: readonly RecognisedWord[]): Box {
  const word = words.find(({ text }) => hasFigure(text)) ?? words[0];
  return word?.bbox ?? { x0: 0, y0: 0, x1: 0, y1: 0 };
}

function centreOf({ x0, y0, x1, y1 }: Box, scale: number): { x: number; y: number } {
  return { x: ((x0 + x1) / 2) * scale, y: ((y0 + y1) / 2) * scale };
}

const ROW_PIXELS = 64;

/** Finds the unit at a place without comparing all with all. */
function indexByRow(units: readonly Unit[]): (place: { x: number; y: number }) => Unit | undefined {
  const rows = new Map<number, Unit[]>();
  for (const unit of units) {
    const { y0, y1 } = boxOf(unit.words);
    for (let row = Math.floor(y0 / ROW_PIXELS); row <= Math.floor(y1 / ROW_PIXELS); row += 1) {
      const held = rows.get(row) ?? [];
      held.push(unit);
      rows.set(row, held);
    }
  }
  return ({ x, y }) =>
    rows.get(Math.floor(y / ROW_PIXELS))?.find(({ words }) => {
      const { x0, y0, x1, y1 } = boxOf(words);
      return x >= x0 && x <= x1 && y >= y0 && y <= y1;
    });
}
