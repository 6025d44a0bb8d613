import { tokensOf } from '../language/tokens';
import { STOP_WORDS, stemOf, terms } from '../language/words';
import { claimedNames } from './claimed-names';

/** Where names are looked for. */
export interface NameLookup {
  /** The sentences that hold the stem, of those that count. */
  holdersOf(stem: string): readonly number[];
  /** Whether a word begins so, in what counts. */
  hasWordLike(word: string): boolean;
  /** The texts in which a name may stand written out, or shortened. */
  nearBy: readonly string[];
}

const SHORTEST_INITIALS = 2;
const LONGEST_INITIALS = 7;

/** The names of a claim that stand nowhere, neither as written nor in a form of the word, nor shortened, nor written out. */
export function absentNames(claim: string, lookup: NameLookup): string[] {
  const names = claimedNames(claim);
  return [...new Set(names)].filter((name) => !isHeld(name, lookup, claim));
}

function isHeld(name: string, lookup: NameLookup, claim: string): boolean {
  const parts = tokensOf(name).filter((part) => !STOP_WORDS.has(part));
  if (parts.length === 0) return true;
  const [first, ...rest] = parts.map((part) => lookup.holdersOf(stemOf(part)));
  const together = (first ?? []).some((sentence) => rest.every((held) => held.includes(sentence)));
  if (together) return true;
  if (parts.length === 1 && lookup.hasWordLike(parts[0] ?? '')) return true;
  return isInitialsOf(name, [claim, ...lookup.nearBy]) || isWrittenOut(name, claim, lookup);
}

/** `WHO` where the World Health Organization is named. */
function isInitialsOf(name: string, texts: readonly string[]): boolean {
  const initials = name.replace(/s$/, '').replace(/[^\p{L}]/gu, '').toLowerCase();
  if (!/^\p{Lu}{2}/u.test(name) || initials.length < SHORTEST_INITIALS) return false;
  return texts.some((text) => {
    const firsts = (text.toLowerCase().match(/\p{L}+/gu) ?? []).map((word) => word.charAt(0)).join('');
    return firsts.includes(initials) && initials.length > SHORTEST_INITIALS;
  });
}

/** `World Health Organization` where the passages say WHO. */
function isWrittenOut(name: string, claim: string, lookup: NameLookup): boolean {
  const words = claim.match(/\p{L}+/gu) ?? [];
  const at = words.findIndex((word) => word === /\p{L}+/u.exec(name)?.[0]);
  for (let from = Math.max(0, at - LONGEST_INITIALS); from <= at; from += 1) {
    for (let to = Math.max(at + 1, from + 3); to <= from + LONGEST_INITIALS; to += 1) {
      const run = words.slice(from, to).map((word) => word.charAt(0).toLowerCase());
      if (run.length > 2 && lookup.holdersOf(stemOf(run.join(''))).length > 0) return true;
    }
  }
  return false;
}

/** Texts of attribution as one place to look in. */
export function attributedStems(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap(terms));
}
