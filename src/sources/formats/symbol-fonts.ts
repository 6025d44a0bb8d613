import { codePoint } from 'dingbat-to-unicode';

// Fonts such as Symbol and Wingdings have signs in the places of letters. Word adds 0xF000 to their codes.

/** Stands for a sign without a known counterpart in Unicode, and for an equation that is a picture. */
export const UNKNOWN_SIGN = '\ufffd';

const SYMBOL_CODES = /[\uf000-\uf0ff]/g;
const LETTERS = /[!-~\u00a1-\u00ac\u00ae-\u00ff]/g;

/** Arrows of Wingdings, which few fonts for the screen have. */
const RARE_ARROWS = /[\u{1f850}-\u{1f887}]/u;

export function signOf(font: string, code: number): string {
  const plain = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  const known = codePoint(font, plain)?.string;
  if (known === undefined && plain === code && code <= 0x10ffff) return String.fromCodePoint(code);
  // Unicode has no place for logos.
  if (known === undefined || /\p{Co}/u.test(known)) return UNKNOWN_SIGN;
  return known.replace(RARE_ARROWS, plainArrow);
}

/** Text as a font shows it: `b` in Symbol is `β`. PowerPoint has a font of its own for the codes from 0xF000. */
export function textInFont(text: string, font: string, symbolFont = font): string {
  const isSymbolFont = codePoint(font, 0x2d) !== undefined;
  const shown = isSymbolFont ? text.replace(LETTERS, (letter) => signOf(font, letter.charCodeAt(0))) : text;
  return shown.replace(SYMBOL_CODES, (code) => signOf(symbolFont, code.charCodeAt(0)));
}

export function unknownSignsRemark(text: string): string[] {
  const count = text.split(UNKNOWN_SIGN).length - 1;
  if (count === 0) return [];
  const subject =
    count === 1 ? 'sign or equation cannot be read and is' : 'signs or equations cannot be read and are';
  return [`${count} ${subject} shown as ${UNKNOWN_SIGN}`];
}

function plainArrow(arrow: string): string {
  return '←↑→↓↖↗↘↙'.charAt((arrow.codePointAt(0) ?? 0) % 8);
}
