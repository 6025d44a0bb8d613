/** A whole number with commas between thousands, on every machine alike. */
export function groupedDigits(number: number): string {
  return String(number).replace(/(?<=\d)(?=(?:\d{3})+$)/g, ',');
}

/** `1 conflict`, `1,204 words`. */
export function count(amount: number, noun: string): string {
  return `${groupedDigits(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

/** The known name that a misspelt one was probably meant to be, or null where none is close. */
export function nearestName(misspelt: string, known: readonly string[]): string | null {
  const limit = Math.max(2, Math.floor(misspelt.length / 4));
  let best: { name: string; distance: number } | null = null;
  for (const name of known) {
    const distance = editDistance(misspelt.toLowerCase(), name.toLowerCase());
    if (distance <= limit && (best === null || distance < best.distance)) best = { name, distance };
  }
  return best === null ? null : best.name;
}

/** Levenshtein's distance, one row at a time. */
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

/** How long a part may be, and how long it is at least for the sake of a good end, in UTF-16 units. */
export interface PartSizes {
  most: number;
  least: number;
}

/** Where a text may end, best first: at a paragraph, at a line, at a sentence, between words. */
const ENDS = [/\n\s*\n/g, /\n/g, /[.!?]["”’)]?(?=\s)/g, /\s/g];

/** The parts of a text, in order and without white space at their ends; a short one is one part. */
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
  // Half a surrogate pair is no end.
  return /[\ud800-\udbff]$/.test(window) ? window.length - 1 : window.length;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A title as it stands within a sentence: names and acronyms keep their capitals. */
export function withinSentence(title: string): string {
  const [first = ''] = title.split(' ');
  const isName = /\p{Lu}|\d/u.test(first.slice(1)) || first.length === 1;
  return isName ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

/** `a`, `a and b`, `a, b and c`; nothing of nothing. */
export function inSeries(items: readonly (string | number)[]): string {
  const others = items.slice(0, -1).join(', ');
  const last = `${items.at(-1) ?? ''}`;
  return others === '' ? last : `${others} and ${last}`;
}

const ISO_DATE = /^(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?(?=$|[T ])/;
/** Feeds may write the year in two digits, behind day and month. */
const YEAR = /\b\d{4}\b|\b\d\d? [A-Z][a-z]{2} \d\d\b/;

/** As exact as it is told, `2019`, `2019-04` or `2019-04-12`; of another form that programs read, the day that it names. Null for what is no date. */
export function isoDate(date: string): string | null {
  const text = date.trim();
  const iso = ISO_DATE.exec(text)?.[0];
  if (iso !== undefined) return iso;
  // In one zone, whatever it names: the day is the one that is written, wherever it is read.
  const time = YEAR.test(text) ? Date.parse(`${text} UTC`) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}

/** With a full stop, unless it ends as a sentence does: nothing stands behind what asks, exclaims or breaks off. */
export function ended(text: string): string {
  return `${text}${stopBehind(text)}`;
}

/** The full stop that is to stand behind a text; empty where none is. */
export function stopBehind(text: string): '' | '.' {
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

/** Whether it is a regular expression, and one without a repetition of a repetition, which takes for ever on some addresses. */
export function isSafePattern(pattern: string): boolean {
  if (/[+*}]\s*\)\s*[+*{]/.test(pattern)) return false;
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
