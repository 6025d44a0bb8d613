// The same sentence with one thing exchanged, so that it is wrong.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { oneOf } from './seeded-draw';
import * as product from './product';

type Random = () => number;

export interface CitedSource {
  sourceId: string;
  content: string;
  attribution: string[];
}

/** For names that are exchanged: those of a collection by their shape. */
export type Names = Record<Shape, string[]>;

/**
 * The sentence with one thing exchanged, in each way that it allows, by its kind: a number beyond rounding, a name for another
 * one of the collection, a direction, a denial. What is put in, of numbers and names, the passage does not hold.
 */
export function corruptions(
  sentence: string,
  { passage, names, random }: { passage: string; names: Names; random: Random },
): { kind: string; claim: string }[] {
  const made = {
    number: withOtherNumber(sentence, passage, random),
    name: withOtherName(sentence, passage, names, random),
    direction: withTurnedWord(sentence, random),
    negation: withOtherDenial(sentence),
  };
  return Object.entries(made).flatMap(([kind, claim]) =>
    claim === null || claim === sentence ? [] : [{ kind, claim }],
  );
}

const TRIES = 40;
const NUMBER = /(?<![\p{L}\p{N}.,·-])\d+(?:,\d{3})*(?:\.\d+)?(?![\p{L}\p{N}·]|-\p{L}|[.,]\d)/gu;
const ANY = /\d+(?:,\d{3})*(?:\.\d+)?/g;
const FACTORS = [0.3, 0.5, 0.65, 1.4, 1.7, 2.3, 3.1];
const valueOf = (digits: string): number => Number(digits.replaceAll(',', ''));

/** One number of a sentence exchanged for another that the passage does not hold, nor anything that rounds to it. */
export function withOtherNumber(sentence: string, passage: string, random: Random): string | null {
  const own = [...sentence.matchAll(NUMBER)];
  if (own.length === 0) return null;
  const { 0: digits, index } = oneOf(own, random);
  const held = (passage.match(ANY) ?? []).map(valueOf);
  const decimals = (digits.split('.')[1] ?? '').length;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const factor = oneOf(FACTORS, random);
    const value = Number(
      (valueOf(digits) * factor + (random() < 0.5 ? 0 : 10 ** -decimals)).toFixed(decimals),
    );
    const isHeld = held.some((other) => other === value || Number(other.toFixed(decimals)) === value);
    if (value <= 0 || value === valueOf(digits) || isHeld) continue;
    const written = digits.includes(',') ? value.toLocaleString('en-US') : value.toFixed(decimals);
    return sentence.slice(0, index) + written + sentence.slice(index + digits.length);
  }
  return null;
}

const WORD = /\p{L}[\p{L}\p{N}]*(?:-[\p{L}\p{N}]+)*/gu;

/** `short` is in capitals or with figures, `word` has one capital. */
type Shape = 'short' | 'word';

interface Name {
  name: string;
  start: number;
  shape: Shape;
}

/** What is written like a name within a sentence. */
function namesIn(sentence: string): Name[] {
  return [...sentence.matchAll(WORD)].flatMap(({ 0: name, index: start }) => {
    const isShort = /^(?:\p{Lu}[\p{Lu}\p{N}]+|\p{Lu}+-?\p{N}+)$/u.test(name) && name.length <= 6;
    const isWord = /^\p{Lu}\p{Ll}{3,}$/u.test(name) && /[\p{Ll},] $/u.test(sentence.slice(0, start));
    return isShort || isWord
      ? [{ name, start, shape: isShort ? ('short' as const) : ('word' as const) }]
      : [];
  });
}

/** The names of sentences: those that stand in two of them at least, without repeats. */
export function namesOf(sentences: readonly string[]): Names {
  const found = sentences.flatMap(namesIn);
  const kept = (of: Shape): string[] =>
    [...product.groupedBy(found, ({ name, shape }) => (shape === of ? name : null))].flatMap(([name, own]) =>
      name !== null && own.length > 1 ? [name] : [],
    );
  return { short: kept('short'), word: kept('word') };
}

/** For a name of its own shape: a shortened one for a shortened one. */
function withOtherName(sentence: string, passage: string, names: Names, random: Random): string | null {
  const own = namesIn(sentence);
  if (own.length === 0) return null;
  const { name, start, shape } = oneOf(own, random);
  const lower = passage.toLowerCase();
  const others = names[shape];
  for (let tries = 0; tries < TRIES && others.length > 0; tries += 1) {
    const other = oneOf(others, random);
    if (!lower.includes(other.toLowerCase().slice(0, 5)) && !sentence.includes(other))
      return sentence.slice(0, start) + other + sentence.slice(start + name.length);
  }
  return null;
}

const { pairs } = z
  .object({ pairs: z.array(z.tuple([z.string(), z.string()])) })
  .parse(JSON.parse(readFileSync(join(__dirname, 'data/turned-words.json'), 'utf8')));
const CONTRARIES = new Map([...pairs.map(([one, other]) => [other, one] as const), ...pairs]);

/** One word exchanged for its contrary, in its form; null where none of the words has one. */
function withTurnedWord(sentence: string, random: Random): string | null {
  const own = [...sentence.matchAll(/\p{L}+/gu)].flatMap(({ 0: word, index }) => {
    const other = CONTRARIES.get(word.toLowerCase());
    return other === undefined ? [] : [{ word, index, other }];
  });
  if (own.length === 0) return null;
  const { word, index, other } = oneOf(own, random);
  const written = /^\p{Lu}/u.test(word) ? other.charAt(0).toUpperCase() + other.slice(1) : other;
  return sentence.slice(0, index) + written + sentence.slice(index + word.length);
}

/** Denials as they are taken out, and what is left. */
const TAKEN_OUT: readonly [RegExp, string][] = [
  [/\b(did|does|do|was|were|is|are|has|have|had|can|could|may|might|will|would|should) not\b/, '$1'],
  [/\bcannot\b/, 'can'],
  [/\bno evidence/, 'evidence'],
  [/\bNo evidence/, 'Evidence'],
  [/\bno (significant|statistically|clear|major|relevant|consistent)/, 'a $1'],
  [/\bNo (significant|statistically|clear|major|relevant|consistent)/, 'A $1'],
  [/\bThere (was|is) no\b/, 'There $1 a'],
  [/\bThere (were|are) no\b/, 'There $1'],
];
/** Where a `not` belongs: behind the first verb that can bear it. */
const BEARING =
  /\b(was|were|is|are|has|have|had|can|could|may|might|will|would|should)\b(?! (?:not|no|only)\b)/;
/** Regular verbs in the past: `increased` is `did not increase`. */
const PAST = /\b(increas|reduc|improv|decreas|caus|produc|induc)ed\b(?= (?:the|in|by|a|an|\p{Ll}+ )\b)/u;
const PRESENT =
  /\b(increase|reduce|improve|decrease|cause|produce|enhance|show|require|provide|suggest|allow)s\b/;

/** The sentence with its denial taken out, or, where it has none, with one put in; null where neither is grammatical. */
function withOtherDenial(sentence: string): string | null {
  const denial = TAKEN_OUT.find(([pattern]) => pattern.test(sentence));
  if (denial !== undefined) return sentence.replace(...denial);
  if (/\b(?:not|no|neither|nor|never|without)\b/i.test(sentence)) return null;
  if (BEARING.test(sentence)) return sentence.replace(BEARING, '$1 not');
  if (PAST.test(sentence)) return sentence.replace(PAST, 'did not $1e');
  return PRESENT.test(sentence) ? sentence.replace(PRESENT, 'does not $1') : null;
}

const OPENING_CHARS = 4_000;

/** Two other sources for a claim: one that shares many of its words (`citationNear`), and any (`citationFar`). */
export function movedCitations(
  sources: readonly CitedSource[],
): (claim: string, kin: readonly string[], random: Random) => { kind: string; id: string }[] {
  const holders = new Map<string, number[]>();
  for (const [at, { content, attribution }] of sources.entries())
    for (const term of new Set(product.terms(`${attribution.join(' ')} ${content.slice(0, OPENING_CHARS)}`)))
      holders.set(term, [...(holders.get(term) ?? []), at]);
  return (claim, kin, random) => {
    const shared = new Map<string, number>();
    for (const term of new Set(product.terms(claim))) {
      const held = holders.get(term) ?? [];
      const rarity = Math.log(1 + sources.length / held.length);
      for (const id of held.map((at) => sources[at]?.sourceId ?? ''))
        shared.set(id, (shared.get(id) ?? 0) + rarity);
    }
    const others = sources.map(({ sourceId }) => sourceId).filter((id) => !kin.includes(id));
    if (others.length === 0) return [];
    const worth = (id: string): number => shared.get(id) ?? 0;
    return [
      { kind: 'citationNear', id: others.reduce((best, id) => (worth(id) > worth(best) ? id : best)) },
      { kind: 'citationFar', id: oneOf(others, random) },
    ];
  };
}
