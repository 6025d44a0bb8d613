import { groupedDigits } from './strings';
import { stripUnsafe } from './untrusted-text';

/** `line` is absent if the place of the error is unknown. */
export type JsonResult = { ok: true; value: unknown } | { ok: false; message: string; line?: number };

export interface JsonBounds {
  /** Maximum number of values in the whole text. */
  values: number;
  /** Maximum number of entries in one list or object. */
  members: number;
}

/** Enough for 100,000 records of 20 fields. */
const BOUNDS: JsonBounds = { values: 2_000_000, members: 250_000 };

/** Maximum nesting depth. Deeper values overflow the stack of recursive code. */
const MAX_DEPTH = 200;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

const TOO_DEEP = `more than ${MAX_DEPTH} lists and objects within each other; give it flatter`;

export function parseBoundedJson(text: string, bounds: JsonBounds = BOUNDS): JsonResult {
  const beyond = findExceededBound(text, bounds);
  if (beyond !== null) return { ok: false, message: beyond.why, line: lineOf(text, beyond.at) };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const at = errorOffset(error, text);
    const message = `not valid JSON: ${stripUnsafe(error.message).replace(/\s+/g, ' ')}`;
    return { ok: false, message, ...(at === undefined ? {} : { line: lineOf(text, at) }) };
  }
}

/** Offset and reason of the first exceeded limit, or null. The text is scanned without its strings. */
export function findExceededBound(
  text: string,
  bounds: JsonBounds = BOUNDS,
): { at: number; why: string } | null {
  const commas: number[] = [];
  let values = 0;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) {
      at = endOfString(text, at);
      continue;
    }
    if (CLOSING.has(sign)) commas.pop();
    const isOpening = OPENING.has(sign);
    if (!isOpening && sign !== COMMA) continue;
    values += 1;
    if (isOpening) commas.push(0);
    const own = isOpening ? 0 : (commas.pop() ?? 0) + 1;
    if (!isOpening) commas.push(own);
    if (commas.length > MAX_DEPTH) return { at, why: TOO_DEEP };
    if (own >= bounds.members) return { at, why: tooMany(bounds.members, 'values in one list or object') };
    if (values > bounds.values) return { at, why: tooMany(bounds.values, 'values') };
  }
  return null;
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let from = end;
    while (text.charCodeAt(from - 1) === BACKSLASH) from -= 1;
    if ((end - from) % 2 === 0) return end;
  }
  return text.length;
}

function tooMany(most: number, what: string): string {
  const told = String(most).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `more than ${told} ${what}; give it in several parts`;
}

/** Offset of a parse error. V8 reports either the position or an excerpt; undefined if the excerpt is not unique. */
function errorOffset({ message }: SyntaxError, text: string): number | undefined {
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

/** Returns undefined for invalid JSON. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Serialises with sorted keys, so that equal values get equal references in the content store. */
export function toArtifactText(value: unknown): string {
  return JSON.stringify(value, (_key, nested: unknown) =>
    nested !== null && typeof nested === 'object' && !Array.isArray(nested)
      ? Object.fromEntries(Object.entries(nested).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : nested,
  );
}

const MAX_SHOWN_CHARS = 80;

/** DEL, C1 controls and invisible characters. `JSON.stringify` does not escape them. */
const INVISIBLE =
  /[\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/** Escapes invisible and control characters in JSON. The parsed value stays the same. */
export function visibleJson(json: string): string {
  return json.replace(INVISIBLE, (character) =>
    Array.from(
      { length: character.length },
      (_unit, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/** Formats a value for a message: on one line, shortened, with names for numbers that JSON lacks. */
export function formatValue(value: unknown, maxChars: number = MAX_SHOWN_CHARS): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return formatText(value, maxChars);
  const json = jsonOf(value);
  return json.length > maxChars ? `${visibleJson(json.slice(0, maxChars))}…` : visibleJson(json);
}

function formatText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return visibleJson(JSON.stringify(text));
  return `${visibleJson(JSON.stringify(`${text.slice(0, maxChars)}…`))} (${groupedDigits(text.length)} characters)`;
}

function jsonOf(value: unknown): string {
  try {
    const json = JSON.stringify(value, (_key, within: unknown) =>
      typeof within === 'bigint' || (typeof within === 'number' && !Number.isFinite(within))
        ? String(within)
        : within,
    ) as string | undefined; // undefined for undefined and functions
    return json ?? typeof value;
  } catch {
    return 'an object that JSON has no form for'; // such as a circular object
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Iterative, because recursion overflows the stack on deeply nested input. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < levels && level.length > 0; depth += 1) {
    const below: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null || ArrayBuffer.isView(one)) continue;
      for (const part of Object.values(one)) if (typeof part === 'object') below.push(part);
    }
    level = below;
  }
  return level.length > 0;
}

/** Replaces a payload that cannot be decoded. It fits no schema, so message handlers reject it. */
export class UnreadablePayload {
  constructor(
    readonly reason: string,
    readonly isEncrypted: boolean,
  ) {}
}
