import { attributeNamed, childElements, elementsBelow, type XmlElement } from '../archive/xml-tree';

/** What a number is shown as: dates and shares are stored as plain numbers. */
export type NumberFormat = 'plain' | 'date' | 'percent';

/** Formats that every workbook has (ECMA-376, 18.8.30), and those of East Asia among them. */
function builtIn(id: number): NumberFormat {
  if (id === 9 || id === 10) return 'percent';
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 58) ? 'date' : 'plain';
}

/** The formats of a workbook's cells, by the number of their style. */
export function numberFormats(styles: XmlElement): NumberFormat[] {
  const own = new Map(
    elementsBelow(styles, 'numFmt').map((format) => [
      Number(attributeNamed(format, 'numFmtId')),
      formatOf(attributeNamed(format, 'formatCode') ?? ''),
    ]),
  );
  const [cells] = elementsBelow(styles, 'cellXfs');
  return (cells === undefined ? [] : childElements(cells, 'xf')).map((style) => {
    const id = Number(attributeNamed(style, 'numFmtId') ?? 0);
    return own.get(id) ?? builtIn(id);
  });
}

function formatOf(code: string): NumberFormat {
  const signs = code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_./g, '').split(';')[0] ?? '';
  if (signs.includes('%')) return 'percent';
  return /[ymdhs]/i.test(signs.replace(/general/i, '')) ? 'date' : 'plain';
}

const DAY_MS = 86_400_000;
/** Day 0; Excel takes 1900 for a leap year, so that days count from the day before the one that it names. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const DAY_ZERO_1904 = Date.UTC(1904, 0, 1);
const LAST_DAY = 2_958_465;

/** A stored number as people read it: `2020-05-04`, `12.5%`, `3.4` and not `3.4000000000000004`. */
export function shownNumber(stored: string, format: NumberFormat = 'plain', is1904 = false): string {
  const number = Number(stored);
  if (!Number.isFinite(number)) return stored;
  if (format === 'percent') return `${rounded(number * 100)}%`;
  if (format === 'plain' || number < 0 || number > LAST_DAY) return rounded(number);
  const time = (is1904 ? DAY_ZERO_1904 : DAY_ZERO) + Math.round(number * DAY_MS);
  const [date = '', clock = ''] = new Date(time).toISOString().split('T');
  if (Number.isInteger(number)) return date;
  return number < 1 ? clock.slice(0, 5) : `${date} ${clock.slice(0, 5)}`;
}

/** As many digits as Excel knows. */
function rounded(number: number): string {
  return String(Number(number.toPrecision(15)));
}
