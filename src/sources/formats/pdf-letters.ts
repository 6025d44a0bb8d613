import { maxOf } from '../../lib/iterables';

// Fonts that do not say which letters their codes stand for: their text is something else than what the page shows.

/** What one font writes in a document. */
interface FontSample {
  chars: number;
  /** Characters that stand for no letter: control codes, private and unassigned ones. */
  unmapped: number;
  /** The first pieces of text, for statistics. */
  text: string;
}

export interface FontRecord {
  samples: Map<string, FontSample>;
  /** Characters by page and font. */
  pages: Map<number, Map<string, number>>;
}

/** Stands for a character that the font does not name. */
export const UNMAPPED_SIGN = '\ufffd';

const UNMAPPED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffd\p{Co}\p{Cn}]/gu;
/** Bullets of Symbol and Wingdings, each in a piece of its own. */
const BULLET = /^[\s\p{Co}]$/u;
const MAX_SAMPLE = 20_000;
const MAX_UNMAPPED_SHARE = 0.2;

// Measured with real PDFs and with names of countries in 43 languages of Latin script.
const MIN_LETTERS = 80;
const SOME_LETTERS = 120;
const MANY_LETTERS = 1_500;
const MIN_TRUE_VOWELS = 0.5;
const MIN_VOWELS = 0.28;
const SOME_WITHOUT_VOWEL = 0.08;
const MAX_WITHOUT_VOWEL = 0.15;
const MIN_UNBROKEN_CHARS = 20;
const MIN_LINES = 3;

/** Characters of a font that are enough to see that they are no text. */
const MIN_CODED = 20;
/** Without full stops, which lead to page numbers. */
const SIGNS = /[!"#$%&'()*+,\-/:;<=>?@[\\\]^_`{|}~]/g;
const MIN_KINDS = 8;
/** Programs have more letters among their signs. */
const MIN_LETTER_SHARE = 0.15;
/** Rows of letters of Latin script beyond the alphabet, but not the wide ones of Chinese and Japanese fonts. */
const ACCENTED = /(?:(?![a-z\uff00-\uffef])\p{Script=Latin}){3,}/giu;
/** Vietnamese has about a third. */
const MAX_ACCENTED = 0.6;
const JOINTS = /(?<=[\p{L}\d])[!"#$](?=[\p{L}\d])/gu;
const MIN_JOINTS = 1 / 12;

export function createFontRecord(): FontRecord {
  return { samples: new Map(), pages: new Map() };
}

export function recordText({ samples, pages }: FontRecord, page: number, font: string, text: string): void {
  const chars = BULLET.test(text) ? 0 : text.trim().length;
  if (chars === 0) return;
  const sample = samples.get(font) ?? { chars: 0, unmapped: 0, text: '' };
  sample.chars += chars;
  sample.unmapped += (text.match(UNMAPPED) ?? []).length;
  if (sample.text.length < MAX_SAMPLE) sample.text += `${text}\n`;
  samples.set(font, sample);
  const ofPage = pages.get(page) ?? new Map<string, number>();
  pages.set(page, ofPage.set(font, (ofPage.get(font) ?? 0) + chars));
}

interface UnreadableFonts {
  /** Fonts that are left out where other text of the page can be read. */
  hidden: ReadonlySet<string>;
  /** Pages with more text in unreadable fonts than in others. */
  unread: number[];
  /** Other pages with text in hidden fonts. */
  touched: number[];
}

export function unreadableFonts({ samples, pages }: FontRecord): UnreadableFonts {
  const fontsWhere = (isSuch: (sample: FontSample) => boolean): ReadonlySet<string> =>
    new Set([...samples].filter(([, sample]) => isSuch(sample)).map(([font]) => font));
  const hidden = fontsWhere(
    ({ chars, unmapped, text }) => unmapped > MAX_UNMAPPED_SHARE * chars || isNoText(text),
  );
  const enciphered = fontsWhere(({ text }) => isEnciphered(text));
  const unread: number[] = [];
  const touched: number[] = [];
  for (const [page, fonts] of pages) {
    let [all, lost] = [0, 0];
    for (const [font, chars] of fonts) {
      all += chars;
      if (hidden.has(font) || enciphered.has(font)) lost += chars;
    }
    if (2 * lost > all) unread.push(page);
    else if ([...fonts.keys()].some((font) => hidden.has(font))) touched.push(page);
  }
  return { hidden, unread, touched };
}

/** Bullets go; other characters that stand for nothing are shown as such, and so is a line that is no text. */
export function showUnmapped(text: string): string {
  if (isNoText(text)) return UNMAPPED_SIGN;
  return BULLET.test(text) ? '' : text.replace(UNMAPPED, UNMAPPED_SIGN);
}

/** True of text that is mostly signs of many kinds without letters, or letters with accents, or has a sign in place of spaces. */
function isNoText(text: string): boolean {
  const count = (pattern: RegExp): number => (text.match(pattern) ?? []).length;
  const chars = count(/\S/g);
  const signs = text.match(SIGNS) ?? [];
  if (chars < MIN_CODED) return false;
  const kinds = new Set(signs).size;
  const letters = count(/\p{L}/gu);
  const areFew = letters < MIN_LETTER_SHARE * chars;
  if (areFew && 2 * signs.length > chars && kinds >= MIN_KINDS && signs.length >= 2 * kinds) return true;
  if (letters >= MIN_CODED && (text.match(ACCENTED) ?? []).join('').length > MAX_ACCENTED * letters)
    return true;
  const joints = (text.match(JOINTS) ?? []).length;
  return joints > count(/\S +(?=\S)/g) && joints > MIN_JOINTS * chars;
}

/**
 * True if the letters that alternate with others, as vowels do in every language, are not the vowels of Latin script, and
 * the text differs from a language in one more way. False for short texts and other scripts.
 */
function isEnciphered(text: string): boolean {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  const all = plain.match(/[a-z]+/g) ?? [];
  // Names of variables are no words, and heads repeat.
  const words = [...new Set(all.filter(({ length }) => length > 2))];
  const count = (pattern: RegExp): number =>
    words.reduce((sum, word) => sum + (word.match(pattern) ?? []).length, 0);
  const letters = count(/[a-z]/g);
  const ofOtherScripts = (plain.match(/[^a-z\P{L}]/gu) ?? []).length;
  const share = trueVowelShare(words);
  if (letters < MIN_LETTERS || ofOtherScripts > letters || share >= MIN_TRUE_VOWELS) return false;
  const long = words.filter(({ length }) => length > 3);
  const withoutVowel = long.filter((word) => !/[aeiouy]/.test(word)).length;
  const lines = text.split('\n').filter(({ length }) => length >= MIN_UNBROKEN_CHARS);
  const unbroken = lines.filter((line) => !/\s/.test(line.trim())).length;
  return (
    letters >= MANY_LETTERS ||
    (share === 0 && letters >= SOME_LETTERS && withoutVowel > SOME_WITHOUT_VOWEL * long.length) ||
    (count(/[aeiouy]/g) < MIN_VOWELS * letters && withoutVowel > MAX_WITHOUT_VOWEL * long.length) ||
    (lines.length >= MIN_LINES && 2 * unbroken > lines.length)
  );
}

const LETTERS = 26;

/** Share of vowels among the letters that are vowels by Sukhotin's algorithm (1962): those that most often stand next to others. */
function trueVowelShare(words: readonly string[]): number {
  const times = new Array<number>(LETTERS).fill(0);
  const pairs = new Array<number>(LETTERS * LETTERS).fill(0);
  for (const word of words)
    for (let at = 0; at < word.length; at += 1) {
      const [letter, next] = [word.charCodeAt(at) - 97, word.charCodeAt(at + 1) - 97];
      times[letter] = (times[letter] ?? 0) + 1;
      if (Number.isNaN(next) || next === letter) continue;
      for (const pair of [letter * LETTERS + next, next * LETTERS + letter])
        pairs[pair] = (pairs[pair] ?? 0) + 1;
    }
  const pairsOf = (letter: number): number[] => pairs.slice(letter * LETTERS, (letter + 1) * LETTERS);
  const weights = times.map((_count, letter) => pairsOf(letter).reduce((sum, count) => sum + count, 0));
  const found = new Set<number>();
  for (;;) {
    const open = weights.map((weight, letter) => (found.has(letter) ? 0 : weight));
    const most = maxOf(open);
    if (most <= 0) break;
    const vowel = open.indexOf(most);
    found.add(vowel);
    for (const [letter, count] of pairsOf(vowel).entries())
      weights[letter] = (weights[letter] ?? 0) - 2 * count;
  }
  const count = (letters: readonly number[]): number =>
    letters.reduce((sum, letter) => sum + (times[letter] ?? 0), 0);
  const truly = [...found].filter((letter) => 'aeiouy'.includes(String.fromCharCode(97 + letter)));
  return found.size === 0 ? 1 : count(truly) / count([...found]);
}
