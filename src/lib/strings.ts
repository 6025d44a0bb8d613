/** `1,204`, independent of the locale. */
export function groupedDigits(number: number): string {
  return String(number).replace(/(?<=\d)(?=(?:\d{3})+$)/g, ',');
}

/** `1 conflict`, `1,204 words`. */
export function formatCount(amount: number, noun: string): string {
  return `${groupedDigits(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

export function nearestName(misspelt: string, known: readonly string[]): string | null {
  const limit = misspelt.length < 4 ? 1 : Math.max(2, Math.floor(misspelt.length / 4));
  let best: { name: string; distance: number } | null = null;
  for (const name of known) {
    const distance = editDistance(misspelt.toLowerCase(), name.toLowerCase());
    if (distance <= limit && (best === null || distance < best.distance)) best = { name, distance };
  }
  return best === null ? null : best.name;
}

function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_unused, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const deletion = (previous[column] ?? 0) + 1;
      const insertion = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(substitution, deletion, insertion));
    }
    previous = current;
  }
  return previous[to.length] ?? from.length;
}

/** Lengths in UTF-16 units. `least` is the minimum length for a cut at a boundary. */
export interface PartSizes {
  most: number;
  least: number;
}

const ENDS = [/\n\s*\n/g, /\n/g, /[.!?]["”’)]?(?=\s)/g, /\s/g];

export function cutLongText(text: string, sizes: PartSizes): { start: number; end: number }[] {
  const { most } = sizes;
  const parts: { start: number; end: number }[] = [];
  for (let start = 0; start < text.length;) {
    const end =
      text.length - start <= most ? text.length : start + endOf(text.slice(start, start + most), sizes);
    const piece = text.slice(start, end);
    const from = start + (piece.length - piece.trimStart().length);
    const to = from + piece.trim().length;
    if (to > from) parts.push({ start: from, end: to });
    start = end;
  }
  return parts;
}

function endOf(window: string, { least }: PartSizes): number {
  for (const ending of ENDS) {
    const last = [...window.matchAll(ending)].at(-1);
    const end = last === undefined ? 0 : last.index + last[0].length;
    if (end >= least) return end;
  }
  // Does not split a surrogate pair.
  return /[\ud800-\udbff]$/.test(window) ? window.length - 1 : window.length;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Lowercases the first letter of a title, except in names and acronyms. */
export function withinSentence(title: string): string {
  const [first = ''] = title.split(' ');
  const isName = /\p{Lu}|\d/u.test(first.slice(1)) || first.length === 1;
  return isName ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

/** `a`, `a and b`, `a, b and c`; empty for an empty list. */
export function joinSeries(items: readonly (string | number)[]): string {
  const others = items.slice(0, -1).join(', ');
  const last = `${items.at(-1) ?? ''}`;
  return others === '' ? last : `${others} and ${last}`;
}

const ISO_DATE = /^(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?(?=$|[T ])/;
/** Feeds may have two-digit years after day and month. */
const YEAR = /\b\d{4}\b|\b\d\d? [A-Z][a-z]{2} \d\d\b/;

/** ISO date in the precision of the input: `2019`, `2019-04` or `2019-04-12`. Null if the text is not a date. */
export function isoDate(date: string): string | null {
  const text = date.trim();
  const iso = ISO_DATE.exec(text)?.[0];
  if (iso !== undefined) return iso;
  // UTC keeps the written day, independent of the local time zone.
  const time = YEAR.test(text) ? Date.parse(`${text} UTC`) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}

export function withFullStop(text: string): string {
  return `${text}${missingFullStop(text)}`;
}

export function missingFullStop(text: string): '' | '.' {
  return /[.?!…？！。]$/u.test(text) ? '' : '.';
}

export function joinBlocks(blocks: readonly string[]): string {
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

export function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** `a report`, `an answer`. */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

/** True for a valid regular expression without nested repetition, which can take exponential time. */
export function isSafePattern(pattern: string): boolean {
  if (/[+*}]\s*\)\s*[+*{]/.test(pattern)) return false;
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
