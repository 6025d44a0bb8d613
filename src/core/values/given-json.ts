import { stripUnsafe } from '../text/untrusted-text';

/** What a JSON text of somebody else says, or what is wrong with it and, where that is known, on which line. */
export type GivenJson = { ok: true; value: unknown } | { ok: false; message: string; line?: number };

/** Values within each other beyond this depth are no data: whoever walks through them comes to the stack's end. */
const DEEPEST = 200;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

export const TOO_DEEP = `more than ${DEEPEST} lists and objects within each other; give it flatter`;

export function givenJson(text: string): GivenJson {
  const tooDeep = firstTooDeep(text);
  if (tooDeep !== null)
    return {
      ok: false,
      message: TOO_DEEP,
      line: lineOf(text, tooDeep),
    };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const at = placeOf(error, text);
    const message = `not valid JSON: ${stripUnsafe(error.message).replace(/\s+/g, ' ')}`;
    return { ok: false, message, ...(at === undefined ? {} : { line: lineOf(text, at) }) };
  }
}

/** Where the text goes too deep, read as JSON with its strings left out; null where it does not. */
export function firstTooDeep(text: string): number | null {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) isInString = !isInString;
    else if (isInString) at += sign === BACKSLASH ? 1 : 0;
    else if (OPENING.has(sign)) depth += 1;
    else if (CLOSING.has(sign)) depth -= 1;
    if (depth > DEEPEST) return at;
  }
  return null;
}

/** Where the parser stopped: its message gives the place, or a part of the text that stands there only. */
function placeOf({ message }: SyntaxError, text: string): number | undefined {
  const position = /at position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  const excerpt = /, (?:\.\.\.)?"([\s\S]+?)"(?:\.\.\.)? is not valid JSON$/.exec(message)?.[1];
  if (excerpt === undefined) return undefined;
  const first = text.indexOf(excerpt);
  return first >= 0 && first === text.lastIndexOf(excerpt)
    ? first + Math.floor(excerpt.length / 2)
    : undefined;
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
