import type { Evidence } from '../contracts/finding';
import { writingTexts } from '../contracts/wording';
import { hiddenLinkRanges, stripUnsafe } from '../lib/untrusted-text';
import { isNegator } from '../text/polarity';
import { isUnspaced } from '../text/sentences';
import { isHedge, isReportingWord, placedWords } from '../text/words';
import { tokenKey } from './claim-alignment';
import { statementTokens } from './claim-tokens';

export interface QuotableSource {
  id: string;
  content: string;
  /** Author, date, title and site, which a claim may name. */
  attribution: readonly string[];
  comparable: ComparableText;
}

/** Places of a claim's quotations. Null if it has none, asserts more than they do, or one of them is not found. */
export function attributedQuotations(claim: string, sources: readonly QuotableSource[]): Evidence[] | null {
  const attribution = sources.flatMap((source) => source.attribution);
  const names = attribution.map((text) => comparableText(text).text);
  const telling = quotationsIn(claim).filter(({ text }) => isLongEnough(text));
  // A cited title is not a quotation.
  const quotations = telling.filter(({ text }) => !names.some((name) => name.includes(titleKey(text))));
  if (quotations.length === 0 || !isAttributionOnly(removeSpans(claim, telling), attribution)) return null;
  const places = quotations.map(({ text }) => {
    for (const source of sources) {
      const place = findQuotation(text, source);
      if (place !== null) return place;
    }
    return null;
  });
  const found = places.filter((place) => place !== null);
  return found.length === places.length ? found : null;
}

function titleKey(quoted: string): string {
  return withoutEndMarks(comparableText(quoted).text);
}

// For reports of this program in languages other than English.
const ATTRIBUTION_WORDS: ReadonlySet<string> = new Set(writingTexts.read.framing);

function isAttributionOnly(text: string, attribution: readonly string[]): boolean {
  const known = new Set(attribution.flatMap((told) => statementTokens(told).map(tokenKey)));
  return statementTokens(text).every(
    (token) =>
      token.kind !== 'negator' &&
      (known.has(tokenKey(token)) ||
        isReportingWord(token.stem) ||
        ATTRIBUTION_WORDS.has(token.text.toLowerCase())),
  );
}

function removeSpans(text: string, stretches: readonly { start: number; end: number }[]): string {
  return stretches.reduceRight((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text);
}

const MIN_LETTERS = 8;
const MAX_OMISSION = 1_000;
const SENTENCE_REACH = 400;

function isLongEnough(quotation: string): boolean {
  return letters(quotation) >= MIN_LETTERS;
}

/**
 * Finds a quotation verbatim, except for case, kinds of marks and white space; parts around an ellipsis must follow in
 * order. Null if absent, or if the omitted text negates or weakens it.
 */
function findQuotation(
  quotation: string,
  source: { id: string; content: string; comparable: ComparableText },
): Evidence | null {
  const { text, starts, ends } = source.comparable;
  const parts = quoteParts(quotation)
    .map((part) => withoutEndMarks(comparableText(part).text))
    .filter((part) => letters(part) > 0);
  const [first] = parts;
  if (first === undefined) return null;
  for (let from = text.indexOf(first); from >= 0; from = text.indexOf(first, from + 1)) {
    const places = placesOf(text, parts, from);
    const end = ends[(places?.at(-1)?.end ?? 0) - 1];
    const start = starts[from];
    if (places === null || start === undefined || end === undefined) continue;
    if (
      omitsQualifier(
        source.content,
        places.map(({ start: at, end: to }) => [starts[at] ?? start, ends[to - 1] ?? end]),
      )
    )
      continue;
    return { sourceId: source.id, quote: source.content.slice(start, end), start, end };
  }
  return null;
}

function placesOf(
  text: string,
  parts: readonly string[],
  from: number,
): { start: number; end: number }[] | null {
  const places: { start: number; end: number }[] = [];
  for (const part of parts) {
    const behind = places.at(-1)?.end;
    const start = behind === undefined ? from : text.indexOf(part, behind);
    const end = start + part.length;
    if (start < 0 || start - (behind ?? start) > MAX_OMISSION) return null;
    if (cutsWord(text, start) || cutsWord(text, end)) return null;
    places.push({ start, end });
  }
  return places;
}

/** True if an omission is a negation anywhere, or a hedge before or between the parts. */
function omitsQualifier(content: string, places: readonly (readonly [number, number])[]): boolean {
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return false;
  const before =
    /[^.!?\n]*$/.exec(content.slice(Math.max(0, first[0] - SENTENCE_REACH), first[0]))?.[0] ?? '';
  const behind = /^[^.!?\n]*/.exec(content.slice(last[1], last[1] + SENTENCE_REACH))?.[0] ?? '';
  const between = places.slice(1).map(([start], at) => content.slice(places[at]?.[1] ?? start, start));
  return [before, ...between].some((text) => hasNegation(text) || hasHedge(text)) || hasNegation(behind);
}

function hasNegation(text: string): boolean {
  const words = placedWords(text);
  return words.some((_word, at) => isNegator(words, at));
}

function hasHedge(text: string): boolean {
  return placedWords(text).some(({ stem }) => isHedge(stem));
}

function cutsWord(text: string, at: number): boolean {
  const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at, at + 2)];
  if (/\d[.,]$/.test(before) && /^\d/.test(after)) return true;
  if (/\d$/.test(before) && /^[.,]\d/.test(after)) return true;
  return /[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(after) && !isUnspaced(before + after);
}

function letters(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** Each has its closing mark at the same index in `CLOSING`. */
const OPENING = '“„«「『';

const CLOSING = '”“»」』';

interface Quotation {
  text: string;
  start: number;
  end: number;
}

/** The outermost quotations of a sentence. One that is opened before it or closed after it extends to its edge. */
export function quotationsIn(sentence: string): Quotation[] {
  const found: Quotation[] = [];
  const marks: { closing: string; at: number }[] = [];
  const add = (start: number, end: number, from: number, to: number): void =>
    void found.push({ text: sentence.slice(from, to), start, end });
  for (let at = 0; at < sentence.length; at += 1) {
    const mark = sentence.charAt(at);
    const open = marks.at(-1);
    const opens = OPENING.indexOf(mark);
    if (open !== undefined && mark === open.closing) {
      marks.pop();
      if (marks.length === 0) add(open.at, at + 1, open.at + 1, at);
    } else if (opens >= 0 || (mark === '"' && open === undefined)) {
      marks.push({ closing: opens < 0 ? '"' : CLOSING.charAt(opens), at });
    } else if (open === undefined && found.length === 0 && CLOSING.includes(mark)) {
      add(0, at + 1, 0, at);
    }
  }
  const [unclosed] = marks;
  if (unclosed !== undefined && unclosed.closing !== '"')
    add(unclosed.at, sentence.length, unclosed.at + 1, sentence.length);
  return found;
}

/**
 * Text for comparison, with offsets in the original. Case, kinds of quotation marks and dashes, white space, emphasis
 * and link addresses are ignored.
 */
export interface ComparableText {
  text: string;
  /** For each unit of `text`: start and end of its character in the original. */
  starts: readonly number[];
  ends: readonly number[];
}

export function comparableText(original: string): ComparableText {
  const units: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  let spaceSince = -1;
  const unseen = hiddenLinkRanges(original);
  let next = 0;
  for (const character of original) {
    const start = at;
    at += character.length;
    while ((unseen[next]?.end ?? Infinity) <= start) next += 1;
    if (start >= (unseen[next]?.start ?? Infinity)) continue;
    const plain = comparableCharacter(character);
    if (plain === ' ') {
      if (spaceSince < 0) spaceSince = start;
      continue;
    }
    if (plain === '') continue;
    if (spaceSince >= 0 && units.length > 0) {
      units.push(' ');
      starts.push(spaceSince);
      ends.push(start);
    }
    spaceSince = -1;
    // By UTF-16 units, so that the indices match offsets in the result.
    for (let unit = 0; unit < plain.length; unit += 1) {
      units.push(plain.charAt(unit));
      starts.push(start);
      ends.push(at);
    }
  }
  return { text: units.join(''), starts, ends };
}

const characterCache = new Map<string, string>();

function comparableCharacter(character: string): string {
  const kept = characterCache.get(character);
  if (kept !== undefined) return kept;
  const plain = folded(character);
  if (characterCache.size < 50_000) characterCache.set(character, plain);
  return plain;
}

function folded(character: string): string {
  if (/[\s\u00a0]/u.test(character)) return ' ';
  if (/[*_`~\\]/.test(character)) return '';
  if (/["“”„‟«»‹›]/u.test(character)) return '"';
  if (/['’‘‚‛ʼ]/u.test(character)) return "'";
  if (/[-‐‑‒–—―−]/u.test(character)) return '-';
  return stripUnsafe(character).normalize('NFKC').toLowerCase().trim();
}

export function quoteParts(quote: string): string[] {
  return quote.split(/\s*(?:\[\s*)?(?:…|\.{3,})(?:\s*\])?\s*/);
}

/** Removes marks at both ends, because a quote may end where its source goes on. */
export function withoutEndMarks(comparable: string): string {
  return comparable.replace(/^["'\s]+|["'\s.,;:!?]+$/g, '');
}
