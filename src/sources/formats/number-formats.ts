import type * as Numfmt from 'numfmt';

// Numbers of Excel as they are displayed, with dates as in ISO 8601.

/** Displays a stored number. */
export type NumberDisplay = (stored: string) => string;

/** Days between the starts of the date systems of 1900 and 1904. */
const DAYS_TO_1904 = 1_462;
const MAX_DAY = 2_958_466;
/** Excel keeps 15 digits. Longer numbers, such as identifiers, are shown in full up to there. */
const MAX_INTEGER = 1e15;
const DISPLAY = { nbsp: false, fillChar: '', skipChar: '' };

/** `pattern` is a format code, or the number of a built-in format. */
export async function loadNumberDisplays(
  is1904: boolean,
): Promise<(pattern: string | number) => NumberDisplay> {
  const numfmt = await import('numfmt');
  return (pattern) => {
    const code = typeof pattern === 'number' ? numfmt.getFormatFromId(pattern) : pattern;
    const display = displayOf(numfmt, numfmt.isValidFormat(code) ? code : 'General', is1904);
    return (stored) => {
      const number = Number(stored);
      return Number.isFinite(number) ? display(number).trim() : stored;
    };
  };
}

function displayOf(numfmt: typeof Numfmt, code: string, is1904: boolean): (number: number) => string {
  const general = (number: number): string =>
    Number.isInteger(number) && Math.abs(number) < MAX_INTEGER
      ? String(number)
      : numfmt.format('General', number);
  if (/^general$/i.test(code)) return general;
  if (!numfmt.isDateFormat(code)) return (number) => numfmt.format(code, number, DISPLAY);
  const isElapsed = /\[(?:h+|m+|s+)\]/i.test(code);
  const isTime = numfmt.getFormatInfo(code).type === 'time';
  const { year, month, day, hours, seconds } = numfmt.getFormatDateInfo(code);
  return (number) => {
    const serial = is1904 && !isTime ? number + DAYS_TO_1904 : number;
    if (serial < 0 || serial >= MAX_DAY) return general(number);
    const isClock = hours && !isElapsed;
    // Without a year, or with fractions of seconds: as displayed.
    if (!(isTime ? isClock : year)) return numfmt.format(code, serial, DISPLAY);
    const [y = 0, ...others] = numfmt.dateFromSerial(serial);
    const [m, d, h, min, s] = others.map((part) => String(part).padStart(2, '0'));
    const clock = `${h}:${min}${seconds ? `:${s}` : ''}`;
    if (isTime || (serial < 1 && hours)) return clock;
    const date = `${String(y)}${month ? `-${m}` : ''}${month && day ? `-${d}` : ''}`;
    return month && day && isClock ? `${date} ${clock}` : date;
  };
}
