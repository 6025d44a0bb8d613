import keys from './data/observation-keys.json';

/** What a line of a tool's output may name. */
export type ObservationKey = Exclude<keyof typeof keys, 'comment'>;

const KEYS: Readonly<Record<ObservationKey, readonly string[]>> = keys;
const KEY_OF = new Map(
  // The names are those of the record itself.
  (Object.keys(KEYS) as ObservationKey[])
    .filter((key) => Array.isArray(KEYS[key]))
    .flatMap((key) => KEYS[key].map((word) => [word, key] as const)),
);

/** A number, a bullet or a heading before the key: `1. Source: …`, `[2] Source: …`, `### Source: …`. */
const MARKER = /^\s{0,8}(?:[-*•>]\s+|\d{1,3}[.)]\s+|\[\d{1,3}\]\s*|#{1,6}\s+)?/;
const KEY = /^(?:\*\*|__)?([A-Za-z][A-Za-z ]{1,20}?)(?:\*\*|__)?[ \t]*:(?:\*\*|__)?[ \t]*/;
/** No key stands behind so many characters. */
const LOOKED_AT = 80;

/** A line of a text: offsets without its line end, and what it names. */
export interface ObservationLine {
  start: number;
  end: number;
  isBlank: boolean;
  isSeparator: boolean;
  /** The key that it begins with, and where its value begins. */
  key: ObservationKey | null;
  valueStart: number;
}

const SEPARATOR =
  /^\s*(?:[-=*_~]{3,}|[-=*_~]{3,}.{0,60}[-=*_~]{3,}|(?:\p{Lu}\p{Ll}{1,12} )?#?\d{1,4}:?)\s*$/u;

/** The text's lines, whatever ends them. */
export function observationLines(text: string): ObservationLine[] {
  const lines: ObservationLine[] = [];
  for (let start = 0; start <= text.length;) {
    const feed = text.indexOf('\n', start);
    const next = feed < 0 ? text.length : feed;
    const end = next > start && text[next - 1] === '\r' ? next - 1 : next;
    lines.push(lineOf(text, start, end));
    start = next + 1;
  }
  return lines;
}

function lineOf(text: string, start: number, end: number): ObservationLine {
  const opening = text.slice(start, Math.min(end, start + LOOKED_AT));
  const marker = MARKER.exec(opening)?.[0] ?? '';
  const match = KEY.exec(opening.slice(marker.length));
  const key = KEY_OF.get(match?.[1]?.toLowerCase() ?? '') ?? null;
  return {
    start,
    end,
    isBlank: end - start < LOOKED_AT * 10 && text.slice(start, end).trim() === '',
    isSeparator: end - start <= LOOKED_AT && SEPARATOR.test(opening),
    key,
    valueStart: start + marker.length + (match?.[0].length ?? 0),
  };
}
