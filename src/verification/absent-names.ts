import { tokensOf } from '../language/tokens';
import { STOP_WORDS, stemOf, terms } from '../language/words';
import { abbreviationKey, abbreviationsIn } from '../language/abbreviations';

const ALL_CAPITALS = /^\p{Lu}[\p{Lu}\p{N}]+$/u;

export interface NameLookup {
  /** The sentences that hold the stem, of those that count. */
  readonly holdersOf: (stem: string) => readonly number[];
  /** Whether a word begins so, in what counts. */
  readonly hasWordLike: (word: string) => boolean;
  /** Whether the name stands in what counts as it is written, however its parts are joined there. */
  readonly isWritten: (name: string) => boolean;
  /** Whether another source names it where it says much of the same, so that it is a word of the subject. */
  readonly isOfSubject: (stem: string) => boolean;
  /** What any source shortens so, in full. */
  readonly longFormOf: (abbreviation: string) => readonly string[] | undefined;
}

/** The names of a claim that stand nowhere, neither as written nor in a form of the word, nor shortened, nor in full. */
export function absentNames(claim: string, lookup: NameLookup): string[] {
  const own = abbreviationsIn(claim);
  return [...new Set(claimedNames(claim))].filter(
    (name) => !own.has(abbreviationKey(name)) && !isHeld(name, lookup) && !isShortened(name, claim, lookup),
  );
}

/** Of `LLM-based` and `IL-6` what is written like a name; its parts stand in one sentence. */
function isHeld(name: string, lookup: NameLookup): boolean {
  if (lookup.isWritten(name)) return true;
  const parts = name
    .split(/[-‐‑/]/)
    .filter((part) => /[\p{Lu}\p{N}]/u.test(part))
    // The `ME` of `ME-3` is no stop word.
    .flatMap((part, _, { length }) =>
      tokensOf(part).filter((token) => !STOP_WORDS.has(token) || (length > 1 && ALL_CAPITALS.test(part))),
    );
  const missing = parts.filter((part) => !isPartHeld(part, lookup));
  if (missing.length > 0) return false;
  const [first, ...rest] = parts
    .map((part) => lookup.holdersOf(stemOf(part)))
    .filter((held) => held.length > 0);
  return first === undefined || first.some((sentence) => rest.every((held) => held.includes(sentence)));
}

function isPartHeld(part: string, lookup: NameLookup): boolean {
  const stem = stemOf(part);
  if (lookup.holdersOf(stem).length > 0 || lookup.hasWordLike(part) || lookup.isOfSubject(stem)) return true;
  const inFull = lookup.longFormOf(abbreviationKey(part));
  return inFull !== undefined && inFull.every((word) => STOP_WORDS.has(word) || isWordHeld(word, lookup));
}

function isWordHeld(word: string, lookup: NameLookup): boolean {
  return lookup.holdersOf(stemOf(word.toLowerCase())).length > 0 || lookup.hasWordLike(word.toLowerCase());
}

const SHORTEST_INITIALS = 3;
const LONGEST_INITIALS = 6;

/** `World Health Organization` where the passages say WHO. */
function isShortened(name: string, claim: string, lookup: NameLookup): boolean {
  const words = (claim.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !STOP_WORDS.has(word));
  const at = words.indexOf(/[\p{L}\p{N}]+/u.exec(name)?.[0] ?? '');
  for (let from = Math.max(0, at - LONGEST_INITIALS + 1); from <= at; from += 1) {
    for (let to = Math.max(at + 1, from + SHORTEST_INITIALS); to <= from + LONGEST_INITIALS; to += 1) {
      const initials = words.slice(from, to).map((word) => word.charAt(0).toLowerCase());
      if (initials.length >= SHORTEST_INITIALS && lookup.holdersOf(stemOf(initials.join(''))).length > 0)
        return true;
    }
  }
  return false;
}

export function attributedStems(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap(terms));
}

/** A run of capitals, figures joined to letters, or a word with a capital, with what a hyphen joins to it. */
const WORD = /\p{L}[\p{L}\p{M}\p{N}]*(?:[-‐‑/][\p{L}\p{M}\p{N}]+(?:\.\p{N}+)?)*/gu;
const SENTENCE_START = /(?:^|[.!?:;•"“‘'(*]\s*|[-–—]\s+)$/;
/** Behind a number stands its unit. */
const AFTER_NUMBER = /[\p{N}^)]\s?$/u;
const TWO_CAPITALS = /\p{Lu}.*\p{Lu}/u;
/** From this share of capitalised words on, a line is a title, in which a capital says nothing. */
const TITLE = 0.6;

/** The names of a claim as they are written: within the sentence what begins with a capital, anywhere what has more of them, or figures. */
function claimedNames(claim: string): string[] {
  const words = [...claim.matchAll(WORD)];
  const long = words.filter(([word]) => word.length > 3);
  const capitalised = long.filter(([word]) => /^\p{Lu}/u.test(word)).length;
  const isTitle = long.length > 3 && capitalised / long.length > TITLE;
  return words.flatMap(({ 0: word, index }) => {
    const plain = word.replace(/['’]s$/, '');
    if (AFTER_NUMBER.test(claim.slice(0, index))) return [];
    if (TWO_CAPITALS.test(plain) || /^\p{Lu}.*\p{N}/u.test(plain)) return plain.length > 1 ? [plain] : [];
    if (isTitle || plain.length < 2 || !/^\p{Lu}/u.test(plain)) return [];
    if (SENTENCE_START.test(claim.slice(0, index)) || STOP_WORDS.has(plain.toLowerCase())) return [];
    return [plain];
  });
}
