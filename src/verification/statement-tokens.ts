import { isNegator, isNotOnly } from '../language/negation';
import { numbersIn, type TextNumber } from '../language/numbers';
import { isUnspaced, tokensOf } from '../language/tokens';
import { type PlacedWord, placedWords } from '../language/word-positions';
import { isLight, saysWhatNumberIs } from '../language/word-weight';
import { stemOf } from '../language/words';
import data from './data/joints.json';

const joints = new Set([...data.joints, ...data.adding]);

export interface StatementToken {
  kind: 'word' | 'number' | 'negator';
  /** As written, in lower case; of a number with its unit. */
  text: string;
  /** By which words are compared; empty for numbers and negators. */
  stem: string;
  /** Null for words. */
  number: TextNumber | null;
  /** Whether it is written like a name: a capital within the sentence, or digits in it. */
  isName: boolean;
  /** Whether another statement of the sentence begins with it, or something is added to what stands before: `but`, `and`. */
  isJoined: boolean;
}

/** Words, what is left of numbers within names (the 6 of `IL-6`), and the signs that turn a comparison round. */
const PIECE = /\p{L}[\p{L}\p{M}\d]*(?:['’]\p{L}+)*|\p{N}+(?:[.,]\p{N}+)*|[<>≤≥]/gu;
const CITATION = /\[\s*\d+(?:\s*[,;–-]\s*\d+)*\s*\]/g;
/** Spellings of one word on the two sides of the Atlantic. */
const SPELLINGS: readonly [RegExp, string][] = [
  [/ae(?=m|s|d)/g, 'e'],
  [/oe(?=d|s)/g, 'e'],
  [/is(?=e|ing|ation)/g, 'iz'],
  [/our$/, 'or'],
];

/** The tokens of a sentence that carry what it says, in their order. */
export function statementTokens(text: string): StatementToken[] {
  const plain = text
    .normalize('NFKC')
    .replace(/[‐‑]/g, '-')
    .replace(CITATION, (mark) => ' '.repeat(mark.length));
  const words = placedWords(plain);
  const placeOf = new Map(words.map((word, at) => [word.start, at]));
  const numbers = numbersIn(plain).filter((number) => !isPartOfName(plain, number));
  const tokens: StatementToken[] = [];
  let [behind, next] = [0, 0];
  let neither = false;
  let joinedAt = -1;
  const push = (token: StatementToken): void => {
    tokens.push({ ...token, isJoined: tokens.length > 0 && joinedAt === tokens.length });
  };
  for (const { 0: piece, index } of plain.matchAll(PIECE)) {
    if (index < behind) continue;
    while ((numbers[next]?.end ?? Infinity) <= index) next += 1;
    const number = index >= (numbers[next]?.start ?? Infinity) ? numbers[next] : undefined;
    // `1,25diOH`: more digits than the number has are a name's.
    if (number !== undefined && number.end >= index + piece.length) {
      behind = Math.max(number.end, number.endOfUnit);
      push(numberToken(plain.slice(number.start, behind), number));
      continue;
    }
    const at = placeOf.get(index);
    const placed = at === undefined ? undefined : words[at];
    if (isUnspaced(piece)) {
      for (const word of tokensOf(piece)) push(wordToken(word, word, false));
      continue;
    }
    if (placed === undefined || at === undefined) {
      push(wordToken(piece, stemOf(piece), /\d/.test(piece)));
      continue;
    }
    if (isNotOnly(words, at)) {
      behind = words[at + 1]?.end ?? placed.end;
      continue;
    }
    if (isNegator(words, at)) {
      // `neither … nor` denies once.
      if (placed.word !== 'nor' || !neither) {
        push({ kind: 'negator', text: placed.word, stem: '', number: null, isName: false, isJoined: false });
      }
      neither = true;
      continue;
    }
    if (joints.has(placed.word)) joinedAt = tokens.length;
    if (isLight(placed.word) && !(saysWhatNumberIs(placed.word) && isBeforeNumber(numbers, placed))) continue;
    const isName = /\d/.test(piece) || (/^\p{Lu}/u.test(piece) && tokens.length > 0);
    push(wordToken(placed.word, stemOf(inOneSpelling(placed.word)), isName));
  }
  return tokens;
}

function wordToken(text: string, stem: string, isName: boolean): StatementToken {
  return { kind: 'word', text, stem, number: null, isName, isJoined: false };
}

function numberToken(text: string, number: TextNumber): StatementToken {
  return { kind: 'number', text, stem: '', number, isName: false, isJoined: false };
}

/** `25-hydroxyvitamin`: a number that a hyphen joins to what is no unit. */
export function isPartOfName(text: string, { end, unit }: TextNumber): boolean {
  return unit === '' && /^-\p{Ll}/u.test(text.slice(end, end + 2));
}

function isBeforeNumber(numbers: readonly TextNumber[], { end }: PlacedWord): boolean {
  return numbers.some(({ start }) => start > end && start <= end + 2);
}

function inOneSpelling(word: string): string {
  return SPELLINGS.reduce((spelled, [pattern, one]) => spelled.replace(pattern, one), word);
}
