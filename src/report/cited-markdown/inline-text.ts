import type { Range } from './markdown-tree';

const MAX_ADDRESS_CHARS = 4000;

/** Limit of nested brackets in an address. */
const MAX_BRACKET_DEPTH = 8;

const TITLE = /^[ \t\n]+(?:"[^"]*"|'[^']*'|\([^()]*\))[ \t\n]*\)/;

const NAMED_ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['ndash', '–'],
  ['mdash', '—'],
]);

const ENTITY = /&(?:#(\d{1,5})|#x([0-9a-f]{1,4})|([a-z]{2,6}));/iy;

/** White space, other brackets and the punctuation of scripts without spaces end an address. */
const ADDRESS =
  /(?:https?:\/\/|www\.(?=[\p{L}\p{N}]))[^\s<>"“”[\]{}|`\\、。，；：！？（）【】［］「」『』《》\ufffc]{3,2000}/iuy;

/** `10.1234/…` as printed in journals. */
const DOI = /(?:doi:\s?)?10\.\d{4,9}\/[^\s<>"“”[\]、。，；（）【】]{2,200}/iy;

const TRAILING_PUNCTUATION = /[.,;:!?'"’”*_~]+$/;

/** A part of a block's visible text with an address, or a raised one. */
export interface InlineSpan extends Range {
  kind: 'link' | 'address' | 'raised';
  from: number;
  to: number;
  url: string;
}

/** Visible text of a range of Markdown, with the source offset of each character. */
export interface InlineText {
  text: string;
  /** The same length, with `HIDDEN` for characters of code and links, where no marks are searched. */
  scanned: string;
  /** For each character of `text`, its start and end in the Markdown. */
  starts: number[];
  ends: number[];
  spans: InlineSpan[];
}

export const HIDDEN = '\ufffc';

const PUNCTUATION = /[!-/:-@[-`{-~]/;
const TAG = /<(\/?)([a-z][a-z0-9-]*)((?:[\s/][^<>]{0,2000})?)>/iy;
const COMMENT = /<!--.{0,2000}?-->/sy;
const HREF = /\bhref\s*=\s*["']?([^"'\s>]+)/i;
const WORD = /[\p{L}\p{N}]/u;

/** `linksTo` returns the address of a definition's label; null if there is none. */
export function parseInlineText(
  markdown: string,
  range: Range,
  linksTo: (label: string) => string | null,
): InlineText {
  const raw = markdown.slice(range.start, range.end);
  const pairs = bracketPairs(raw);
  const text: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const spans: InlineSpan[] = [];
  const hidden = new Set<number>();
  /** Open links, by the offset in `raw` where their text ends. */
  const open: { closes: number; resume: number; span: InlineSpan }[] = [];
  const tags: { name: string; span: InlineSpan }[] = [];
  let at = 0;

  const put = (character: string, start: number, end: number): void => {
    text.push(character);
    starts.push(range.start + start);
    ends.push(range.start + end);
  };
  const putAll = (from: number, to: number): void => {
    for (let place = from; place < to; place += 1) put(raw.charAt(place), place, place + 1);
  };
  const hide = (from: number): void => {
    for (let place = from; place < text.length; place += 1) hidden.add(place);
  };
  const begin = (kind: InlineSpan['kind'], url: string, start: number): InlineSpan => ({
    kind,
    url,
    from: text.length,
    to: text.length,
    start: range.start + start,
    end: 0,
  });
  const finish = (span: InlineSpan, end: number): void => {
    span.to = text.length;
    span.end = range.start + end;
    spans.push(span);
    if (span.kind !== 'raised') hide(span.from);
  };

  while (at < raw.length) {
    const closing = open.at(-1);
    if (closing?.closes === at) {
      open.pop();
      finish(closing.span, closing.resume);
      at = closing.resume;
      continue;
    }
    const character = raw.charAt(at);
    const code = character === '`' ? codeAt(raw, at, pairs.code) : null;
    if (code !== null) {
      const from = text.length;
      putAll(code.start, code.end);
      hide(from);
      at = code.next;
      continue;
    }
    if (character === '\\' && PUNCTUATION.test(raw.charAt(at + 1))) {
      put(raw.charAt(at + 1), at, at + 2);
      at += 2;
      continue;
    }
    if (character === '\n') {
      put('\n', at, at + 1);
      at += 1;
      // Markers of a quotation or list item at the start of a line are no text.
      while (' \t>'.includes(raw.charAt(at)) && at < raw.length) at += 1;
      continue;
    }
    if (character === '[' || (character === '!' && raw.charAt(at + 1) === '[')) {
      const isImage = character === '!';
      const target = targetOf(raw, isImage ? at + 1 : at, pairs.closes, linksTo);
      if (target !== null && isImage) {
        at = target.next;
        continue;
      }
      if (target !== null) {
        open.push({ closes: target.close, resume: target.next, span: begin('link', target.url, at) });
        at += 1;
        continue;
      }
    }
    if (character === '<') {
      const next = tagAt(at);
      if (next !== null) {
        at = next;
        continue;
      }
    }
    const address = open.length === 0 ? addressAt(raw, at) : null;
    if (address !== null) {
      const span = begin('address', address.url, at);
      putAll(at, address.end);
      finish(span, address.end);
      at = address.end;
      continue;
    }
    const entity = character === '&' ? entityAt(raw, at) : null;
    if (entity !== null) {
      put(entity.character, at, entity.end);
      at = entity.end;
      continue;
    }
    if (!isEmphasis(raw, at, character)) put(character, at, at + 1);
    at += 1;
  }
  for (const { span } of open) finish(span, raw.length);
  spans.sort((a, b) => a.from - b.from);
  const scanned = text.map((character, place) => (hidden.has(place) ? HIDDEN : character)).join('');
  return { text: text.join(''), scanned, starts, ends, spans };

  /** Offset behind a tag or comment; null if there is none. */
  function tagAt(place: number): number | null {
    COMMENT.lastIndex = place;
    if (COMMENT.test(raw)) return COMMENT.lastIndex;
    TAG.lastIndex = place;
    const [, slash, name = '', rest = ''] = TAG.exec(raw) ?? [];
    if (slash === undefined) return null;
    const next = TAG.lastIndex;
    const lower = name.toLowerCase();
    if (lower === 'br') put('\n', place, next);
    if (lower !== 'a' && lower !== 'sup') return next;
    if (slash === '') {
      const url = HREF.exec(rest)?.[1] ?? '';
      tags.push({ name: lower, span: begin(lower === 'a' ? 'link' : 'raised', url, place) });
    } else {
      const opened = tags.findLastIndex((tag) => tag.name === lower);
      const [tag] = opened < 0 ? [] : tags.splice(opened, 1);
      if (tag !== undefined) finish(tag.span, next);
    }
    return next;
  }
}

/** A bracket with an address: `[text](url)`, `[text][label]`, or `[label]` with a definition. */
function targetOf(
  raw: string,
  at: number,
  closes: ReadonlyMap<number, number>,
  linksTo: (label: string) => string | null,
): (LinkTarget & { close: number }) | null {
  const close = closes.get(at);
  if (close === undefined) return null;
  const inside = raw.slice(at + 1, close);
  const direct = linkTargetAt(raw, close + 1);
  if (direct !== null) return { ...direct, close };
  // A number with a definition is a citation by number, and so are two adjacent ones.
  if (inside.startsWith('^') || /^\d+$/.test(inside)) return null;
  const second = raw.charAt(close + 1) === '[' ? closes.get(close + 1) : undefined;
  if (second !== undefined) {
    const url = linksTo(raw.slice(close + 2, second) || inside);
    return url === null ? null : { url, next: second + 1, close };
  }
  const url = inside.length > 300 ? null : linksTo(inside);
  return url === null ? null : { url, next: close + 1, close };
}

function codeAt(
  raw: string,
  at: number,
  code: ReadonlyMap<number, Range>,
): { start: number; end: number; next: number } | null {
  const range = code.get(at);
  if (range === undefined) return null;
  let fence = 0;
  while (raw.charAt(at + fence) === '`') fence += 1;
  return { start: at + fence, end: range.end - fence, next: range.end };
}

/** True for an emphasis sign; false in `2*3`, `snake_case` and `a * b`. */
function isEmphasis(raw: string, at: number, character: string): boolean {
  if (character !== '*' && character !== '_' && character !== '~') return false;
  let first = at;
  while (raw.charAt(first - 1) === character && at - first < 3) first -= 1;
  let last = at;
  while (raw.charAt(last + 1) === character && last - at < 3) last += 1;
  const before = raw.charAt(first - 1);
  const behind = raw.charAt(last + 1);
  const isOpen = behind.trim() === '';
  if (isOpen && before.trim() === '') return false;
  if (character === '~') return last > first;
  if (character === '*') return last > first || !(/\d/.test(before) && /\d/.test(behind));
  return !(WORD.test(before) && WORD.test(behind));
}

/** Null if no address begins at the offset. */
function addressAt(text: string, at: number): { url: string; end: number } | null {
  const first = text.charAt(at);
  if (!/[hwd1]/i.test(first) || /[\p{Script=Latin}\p{N}]/u.test(text.charAt(at - 1))) return null;
  ADDRESS.lastIndex = at;
  const address = ADDRESS.exec(text)?.[0];
  if (address !== undefined) {
    const written = trimAddress(address);
    return { url: /^www/i.test(written) ? `https://${written}` : written, end: at + written.length };
  }
  DOI.lastIndex = at;
  const doi = DOI.exec(text)?.[0];
  if (doi === undefined) return null;
  const written = trimAddress(doi);
  return { url: `https://doi.org/${written.replace(/^doi:\s?/i, '')}`, end: at + written.length };
}

function trimAddress(address: string): string {
  let written = address.replace(TRAILING_PUNCTUATION, '');
  while (written.endsWith(')') && countCharacter(written, ')') > countCharacter(written, '('))
    written = written.slice(0, -1).replace(TRAILING_PUNCTUATION, '');
  // `(https://a.example/b)(c)`: the address ends at the bracket that closes the first.
  let depth = 0;
  for (let at = 0; at < written.length; at += 1) {
    if (written[at] === '(') depth += 1;
    if (written[at] === ')' && (depth -= 1) < 0)
      return written.slice(0, at).replace(TRAILING_PUNCTUATION, '');
  }
  return written;
}

function countCharacter(text: string, character: string): number {
  return text.split(character).length - 1;
}

function entityAt(text: string, at: number): { character: string; end: number } | null {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(text);
  if (match === null) return null;
  const [, decimal, hexadecimal, name = ''] = match;
  const code = decimal ?? (hexadecimal === undefined ? undefined : String(Number.parseInt(hexadecimal, 16)));
  const character = code === undefined ? NAMED_ENTITIES.get(name) : String.fromCharCode(Number(code));
  return character === undefined ? null : { character, end: ENTITY.lastIndex };
}

interface LinkTarget {
  url: string;
  next: number;
}

/** The address in `(…)` behind a link's text; null if there is none. */
function linkTargetAt(raw: string, at: number): LinkTarget | null {
  if (raw.charAt(at) !== '(') return null;
  let start = at + 1;
  while (/[ \t\n]/.test(raw.charAt(start))) start += 1;
  const isPointed = raw.charAt(start) === '<';
  const end = isPointed ? raw.indexOf('>', start) : addressEnd(raw, start);
  if (end < 0 || end - start > MAX_ADDRESS_CHARS) return null;
  const url = raw.slice(isPointed ? start + 1 : start, end);
  const behind = isPointed ? end + 1 : end;
  if (raw.charAt(behind) === ')') return { url, next: behind + 1 };
  const rest = raw.slice(behind, behind + 600);
  const title = TITLE.exec(rest) ?? /^[ \t\n]+\)/.exec(rest);
  return title === null ? null : { url, next: behind + title[0].length };
}

/** White space, or an unmatched closing bracket, ends an address. */
function addressEnd(raw: string, start: number): number {
  let depth = 0;
  for (let at = start; at < raw.length && at - start <= MAX_ADDRESS_CHARS; at += 1) {
    const character = raw.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '(' && (depth += 1) > MAX_BRACKET_DEPTH) return -1;
    else if (character === ')' && (depth -= 1) < 0) return at;
    else if (/\s/.test(character)) return depth === 0 ? at : -1;
  }
  return -1;
}

/** Closing bracket of each opening one, and ranges of code, by start offset. */
interface BracketPairs {
  closes: Map<number, number>;
  code: Map<number, Range>;
}

/** One pass for any text; brackets in code and escaped ones do not count. */
function bracketPairs(raw: string): BracketPairs {
  const closes = new Map<number, number>();
  const code = new Map<number, Range>();
  const open: number[] = [];
  const fences = fencesOf(raw);
  for (let at = 0; at < raw.length; at += 1) {
    const character = raw.charAt(at);
    if (character === '\\') at += 1;
    else if (character === '[') open.push(at);
    else if (character === ']') {
      const opened = open.pop();
      if (opened !== undefined) closes.set(opened, at);
    } else if (character === '`') {
      const length = runLength(raw, at);
      const end = nextBehind(fences.get(length), at);
      if (end !== undefined) code.set(at, { start: at, end: end + length });
      at = (end ?? at) + length - 1;
    }
  }
  return { closes, code };
}

/** Backtick runs of one length; `next` is the first one ahead of the reader. */
interface Fences {
  places: number[];
  next: number;
}

function fencesOf(raw: string): Map<number, Fences> {
  const fences = new Map<number, Fences>();
  for (const { 0: run, index } of raw.matchAll(/`+/g)) {
    const known = fences.get(run.length);
    if (known === undefined) fences.set(run.length, { places: [index], next: 0 });
    else known.places.push(index);
  }
  return fences;
}

function nextBehind(fences: Fences | undefined, at: number): number | undefined {
  if (fences === undefined) return undefined;
  while ((fences.places[fences.next] ?? Infinity) <= at) fences.next += 1;
  return fences.places[fences.next];
}

function runLength(raw: string, at: number): number {
  let length = 1;
  while (raw.charAt(at + length) === '`') length += 1;
  return length;
}
