import { tokensOf } from '../../language/tokens';

/** A title as titles are compared by. */
export interface TitleWords {
  words: string[];
  /** Without what stands behind the last sign that parts it from a site's name. */
  parts: string[][];
}

/** Fewer words are the title of too many things. */
const FEWEST = 3;
const FEWEST_IN_TEXT = 6;
const NEAR = 0.9;
const PARTED = /\s+[-–|·:]\s+|\s*—\s*|\s*[|｜_]\s*|\s*-(?=[^-]*(?:网|网站|知乎|百科|中心)$)/;

export function titleWords(title: string): TitleWords {
  const pieces = title.split(PARTED).filter((piece) => piece.trim() !== '');
  const parts = pieces.map((_, at) => tokensOf(pieces.slice(0, at + 1).join(' ')));
  return { words: tokensOf(title), parts };
}

/** The same words, or nearly, all numbers being the same; a site's name behind either title is none of its words. */
export function isSameTitle(one: TitleWords, other: TitleWords): boolean {
  const ofOne = [one.words, ...one.parts].filter((words) => words.length >= FEWEST);
  const ofOther = [other.words, ...other.parts].filter((words) => words.length >= FEWEST);
  return ofOne.some((words) => ofOther.some((others) => isNear(words, others)));
}

/** Whether a text has all words of a title in a row, or all before its last part. Short titles are words of many a sentence. */
export function names(words: readonly string[], title: TitleWords): boolean {
  const text = ` ${words.join(' ')} `;
  return [title.words, ...title.parts].some(
    (part) => part.length >= FEWEST_IN_TEXT && text.includes(` ${part.join(' ')} `),
  );
}

/** How many words two titles share, of both, from 0 to 1. */
export function likeness(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const word of one) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of other) {
    const many = left.get(word) ?? 0;
    if (many === 0) continue;
    left.set(word, many - 1);
    shared += 1;
  }
  return (2 * shared) / Math.max(1, one.length + other.length);
}

function isNear(one: readonly string[], other: readonly string[]): boolean {
  return likeness(one, other) >= NEAR && numbers(one) === numbers(other);
}

function numbers(words: readonly string[]): string {
  return words
    .filter((word) => /^\d/.test(word))
    .sort()
    .join(' ');
}
