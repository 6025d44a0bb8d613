import { groupedDigits } from './strings';
import { stripUnsafe } from './untrusted-text';

/** What a JSON text of somebody else says, or what is wrong with it and, where that is known, on which line. */
export type GivenJson = { ok: true; value: unknown } | { ok: false; message: string; line?: number };

/** What a JSON text may hold. It is counted before any value is built. */
export interface JsonBounds {
  /** Of all lists and objects together. */
  values: number;
  /** Of one list or object. */
  members: number;
}

/** A list of 100,000 records of 20 fields; of observations more are counted. */
const BOUNDS: JsonBounds = { values: 2_000_000, members: 250_000 };

/** Values within each other beyond this depth are no data: whoever walks through them comes to the stack's end. */
const DEEPEST = 200;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

const TOO_DEEP = `more than ${DEEPEST} lists and objects within each other; give it flatter`;

export function givenJson(text: string, bounds: JsonBounds = BOUNDS): GivenJson {
  const beyond = firstBeyond(text, bounds);
  if (beyond !== null) return { ok: false, message: beyond.why, line: lineOf(text, beyond.at) };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const at = placeOf(error, text);
    const message = `not valid JSON: ${stripUnsafe(error.message).replace(/\s+/g, ' ')}`;
    return { ok: false, message, ...(at === undefined ? {} : { line: lineOf(text, at) }) };
  }
}

/** Where the text goes beyond the bounds, read as JSON with its strings left out, and why; null where it does not. */
export function firstBeyond(text: string, bounds: JsonBounds = BOUNDS): { at: number; why: string } | null {
  /** How many commas each open list or object has. */
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
    if (commas.length > DEEPEST) return { at, why: TOO_DEEP };
    if (own >= bounds.members) return { at, why: tooMany(bounds.members, 'values in one list or object') };
    if (values > bounds.values) return { at, why: tooMany(bounds.values, 'values') };
  }
  return null;
}

/** Where the string that begins here ends; the text's end where nothing closes it. */
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

/** What a JSON text says; undefined, which no JSON text says, where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Serialises a value for the content store: keys in a fixed order, so that equal values have equal references. */
export function toArtifactText(value: unknown): string {
  return JSON.stringify(value, (_key, nested: unknown) =>
    nested !== null && typeof nested === 'object' && !Array.isArray(nested)
      ? Object.fromEntries(Object.entries(nested).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : nested,
  );
}

const TOLD_CHARS = 80;

/** DEL, C1 controls, and what nobody sees: `JSON.stringify` leaves them raw, and terminals obey some. */
const INVISIBLE =
  /[\u007f-\u009f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu;

/** JSON with every character that nobody sees, or that a terminal obeys, as its number; it says the same. */
export function visibleJson(json: string): string {
  return json.replace(INVISIBLE, (character) =>
    Array.from(
      { length: character.length },
      (_unit, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

/**
 * A value as a message tells it: on one line, as it was given, and cut where it is long, with its length. Numbers that JSON has no
 * form for, such as `Infinity`, are told by their names.
 */
export function toldValue(value: unknown, maxChars: number = TOLD_CHARS): string {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return toldText(value, maxChars);
  const json = jsonOf(value);
  return json.length > maxChars ? `${visibleJson(json.slice(0, maxChars))}…` : visibleJson(json);
}

function toldText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return visibleJson(JSON.stringify(text));
  return `${visibleJson(JSON.stringify(`${text.slice(0, maxChars)}…`))} (${groupedDigits(text.length)} characters)`;
}

function jsonOf(value: unknown): string {
  try {
    const json = JSON.stringify(value, (_key, within: unknown) =>
      typeof within === 'bigint' || (typeof within === 'number' && !Number.isFinite(within))
        ? String(within)
        : within,
    ) as string | undefined; // undefined and functions have no form
    return json ?? typeof value;
  } catch {
    return 'an object that JSON has no form for'; // such as one that contains itself
  }
}

/** Whether something from outside is an object with fields, and no list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Level by level, because what is nested without end would end whoever calls himself for it. */
export function isNestedBeyond(value: unknown, levels: number): boolean {
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

/**
 * What stands in the place of a payload that cannot be read: no bytes of JSON, an encoding that nobody knows, a key that is
 * not here. It fits no schema, so whatever takes a message refuses it in words.
 */
export class Unreadable {
  constructor(
    readonly reason: string,
    /** True where a worker with another key could read it. */
    readonly isEncrypted: boolean,
  ) {}
}
