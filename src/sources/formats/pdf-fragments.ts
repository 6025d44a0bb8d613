import { toSubscript, toSuperscript } from './document-text';
import type { Box } from './pdf-columns';

// Pieces of text on one base line, with raised and lowered figures.

/** A piece of text. Coordinates start at the bottom left, `y` is the base line. */
export interface PageItem {
  text: string;
  x: number;
  y: number;
  width: number;
  fontSize: number;
  isRightToLeft?: boolean;
}

/** Pieces on one base line without a wide gap: a line of a column, or a cell of a table. */
export interface Fragment extends Box {
  text: string;
  y: number;
}

/** In font sizes. Columns are at least this far apart. Words are closer, except in justified lines. */
const WIDE_GAP = 0.8;
const WORD_GAP = 0.2;
/** Share of the font size within which two base lines are one. */
const SAME_LINE = 0.2;
const MAX_SHIFT = 0.7;
const SMALL = 0.87;
const MIN_OVERLAP = 0.3;

const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const RAISED_LETTERS = 'ᵃᵇᶜᵈᵉᶠᵍʰⁱ';
/** Marks of notes in tables; plain letters would become part of the figure before them. */
const LETTER_MARKS = /^[a-i](?:, ?[a-i])*$/;
const RAISED_AT_END = new RegExp(`[${SUPERSCRIPTS}]+$`);
const FRACTION = new RegExp(`(\\d?)([${SUPERSCRIPTS}]+)[⁄/]([${SUBSCRIPTS}]+)`, 'g');

export function readFragments(items: readonly PageItem[]): Fragment[] {
  const seen = new Set<string>();
  const fragments: OpenFragment[] = [];
  let open: OpenFragment | null = null;
  let hasSpace = false;
  for (const item of items) {
    if (item.text.trim() === '') {
      hasSpace = true;
      continue;
    }
    if (isDrawnTwice(item, seen)) continue;
    if (open === null || !appendItem(open, item, hasSpace)) {
      const { text, x: left, width, y, fontSize, isRightToLeft = false } = item;
      open = { text, left, right: left + width, y, fontSize, isRightToLeft };
      fragments.push(open);
    }
    hasSpace = /\s$/.test(item.text);
  }
  return fragments.flatMap(({ text: pieces, ...places }, order) => {
    const text = joinFractions(pieces).replace(/\s+/g, ' ').trim();
    const [top, bottom] = [places.y + 0.8 * places.fontSize, places.y - 0.2 * places.fontSize];
    return text === '' ? [] : [{ ...places, text, top, bottom, chars: text.length, order }];
  });
}

/** The font size and the base line are those of the pieces that are neither raised nor lowered. */
type OpenFragment = Omit<Fragment, 'top' | 'bottom' | 'chars' | 'order'>;

/** Some programs draw bold text twice, slightly apart. */
function isDrawnTwice({ text, x, y, fontSize }: PageItem, seen: Set<string>): boolean {
  const step = Math.max(0.1, fontSize / 10);
  const [column, line] = [Math.round(x / step), Math.round(y / step)];
  for (const across of [-1, 0, 1])
    for (const down of [-1, 0, 1]) if (seen.has(`${column + across} ${line + down} ${text}`)) return true;
  seen.add(`${column} ${line} ${text}`);
  return false;
}

/** Returns false if the piece begins another fragment. */
function appendItem(open: OpenFragment, item: PageItem, hasSpace: boolean): boolean {
  const size = Math.max(open.fontSize, item.fontSize, 0.1);
  const isBackwards = item.isRightToLeft === true || open.isRightToLeft;
  const gap = isBackwards ? open.left - item.x - item.width : item.x - open.right;
  const shift = (item.y - open.y) / size;
  if (gap > WIDE_GAP * size || Math.abs(shift) > MAX_SHIFT) return false;
  const [isSmaller, isLarger] = [
    item.fontSize < SMALL * open.fontSize,
    open.fontSize < SMALL * item.fontSize,
  ];
  const isShifted = Math.abs(shift) > (isSmaller || isLarger ? SAME_LINE / 2 : SAME_LINE);
  const places = { left: Math.min(open.left, item.x), right: Math.max(open.right, item.x + item.width) };
  if (gap < -MIN_OVERLAP * size) {
    if (isShifted) return isSmaller && shift < 0 && appendBelow(open, item);
    const known = isBackwards ? 0 : repeatedLength(open.text, item.text);
    if (known === 0) return false;
    Object.assign(open, places, { text: open.text + item.text.slice(known) });
    return true;
  }
  const space = hasSpace || gap > WORD_GAP * size ? ' ' : '';
  if (isLarger && isShifted) {
    // A raised mark at the start, such as the number of a footnote.
    if (shift > 0) return false;
    const text = `${raised(open.text)}${space}${item.text}`;
    Object.assign(open, places, { text, y: item.y, fontSize: item.fontSize });
    return true;
  }
  if (isShifted && !isSmaller && !/^\s*\d{1,3}\s*$/.test(item.text)) return false;
  const isRaised = isShifted && shift > 0;
  const shown = isRaised ? raised(item.text) : isShifted && space === '' ? lowered(item.text) : item.text;
  Object.assign(open, places, { text: open.text + space + shown });
  if (isLarger) Object.assign(open, { fontSize: item.fontSize, y: item.y });
  return true;
}

/** A lowered figure under a raised one: `x²₁` after a letter or bracket, else a fraction. */
function appendBelow(open: OpenFragment, { text, x, width }: PageItem): boolean {
  const above = RAISED_AT_END.exec(open.text);
  if (above === null || !/^\d+$/.test(text.trim())) return false;
  const isIndex = /[\p{L})\]]/u.test(open.text.charAt(above.index - 1));
  open.text += `${isIndex ? '' : '⁄'}${lowered(text)}`;
  open.right = Math.max(open.right, x + width);
  return true;
}

/** `2¹⁄₄` is `2 1/4`. */
function joinFractions(text: string): string {
  const plain = (digits: string): string =>
    digits.replace(/./gu, (digit) =>
      String(Math.max(SUPERSCRIPTS.indexOf(digit), SUBSCRIPTS.indexOf(digit))),
    );
  return text.replace(
    FRACTION,
    (_fraction, before: string, above: string, below: string) =>
      `${before === '' ? '' : `${before} `}${plain(above)}/${plain(below)}`,
  );
}

function raised(text: string): string {
  return withinSpace(text, (mark) =>
    LETTER_MARKS.test(mark)
      ? mark.replace(/[a-i]/g, (letter) => RAISED_LETTERS.charAt(letter.charCodeAt(0) - 97))
      : toSuperscript(mark),
  );
}

function lowered(text: string): string {
  return withinSpace(text, toSubscript);
}

function withinSpace(text: string, replace: (word: string) => string): string {
  const word = text.trim();
  return text.replace(word, () => replace(word));
}

/** Length of the longest start of `text` that ends `open`, where letters are drawn twice one by one. */
function repeatedLength(open: string, text: string): number {
  let length = text.length;
  while (length > 0 && !open.endsWith(text.slice(0, length))) length -= 1;
  return length;
}
