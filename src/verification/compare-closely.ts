import { rarityOf } from '../reading/features/rarity';
import { splitSentences } from '../language/sentences';
import { STOP_WORDS } from '../language/words';
import { isHedge, isReporting } from '../language/word-weight';
import { CLOSE, type Closeness, closenessOf } from './closeness';
import { clausesOf } from './clauses';
import data from './data/introductions.json';
import type { Exchange } from './find-exchanges';
import { type StatementToken, statementTokens } from './statement-tokens';

/** What a claim is compared with: the statements of one sentence, under a number of its own. */
export interface ComparedSentence {
  sentence: number;
  statements: readonly (readonly StatementToken[])[];
}

export type CloseComparison =
  | { says: 'same'; sentences: number[] }
  | { says: 'exchanged'; sentences: number[]; exchange: Exchange }
  | { says: 'nothing' };

const INTRODUCTION = new RegExp(`^\\s*(?:${data.phrases.join('|')}),?\\s+`, 'i');
const NOTHING: CloseComparison = { says: 'nothing' };
const MOST_TOKENS = 400;
/** Words that stand in more texts than this weight tells are no news. */
const RARE = 3;

/**
 * Compares the whole claim, and where that tells nothing each of the statements that it joins. `known` are the keys of tokens
 * that say who says it, `isHeld` tells whether what is cited has a word anywhere. Pure.
 */
export function compareClosely(
  claim: string,
  sentences: readonly ComparedSentence[],
  known: ReadonlySet<string>,
  isHeld: (token: StatementToken) => boolean,
): CloseComparison {
  const plain = claim.replace(INTRODUCTION, '');
  const whole = compareStatement(plain, sentences, known, isHeld);
  if (whole.says !== 'nothing') return whole;
  const parts = splitSentences(plain).flatMap(({ text }) => clausesOf(text));
  if (parts.length < 2) return whole;
  const compared = parts.map((part) => compareStatement(part, sentences, known, isHeld));
  const wrong = compared.find(({ says }) => says === 'exchanged');
  if (wrong !== undefined) return wrong;
  const same = compared.flatMap((one) => (one.says === 'same' ? [one.sentences] : []));
  return same.length < parts.length ? NOTHING : { says: 'same', sentences: [...new Set(same.flat())] };
}

function compareStatement(
  claim: string,
  sentences: readonly ComparedSentence[],
  known: ReadonlySet<string>,
  isHeld: (token: StatementToken) => boolean,
): CloseComparison {
  const tokens = statementTokens(claim);
  if (tokens.length > MOST_TOKENS) return NOTHING;
  const compared = sentences.flatMap(({ sentence, statements }) =>
    statements.map((statement) => ({
      sentence,
      statement,
      ...closenessOf(tokens, statement.slice(0, 2 * MOST_TOKENS), known),
    })),
  );
  const close = compared.filter(({ share }) => share >= CLOSE);
  const nearBy = new Set(compared.flatMap(({ statement }) => statement.map(({ stem }) => stem)));
  const same = close.filter((one) => isSame(one, nearBy));
  if (same.length > 0) return { says: 'same', sentences: [...new Set(same.map(({ sentence }) => sentence))] };
  const best = close.reduce<(typeof close)[number] | null>(
    (found, one) => (found === null || isCloser(one, found) ? one : found),
    null,
  );
  if (best === null) return NOTHING;
  // A name that is named elsewhere may stand where it belongs.
  const exchange = best.exchanges.find(
    ({ kind, claimed: token }) => kind !== 'name' || token === null || !isHeld(token),
  );
  return exchange === undefined ? NOTHING : { says: 'exchanged', sentences: [best.sentence], exchange };
}

/** What it adds is in the place of nothing, and stands in what it is compared with, or is no news anywhere. */
function isSame({ added, inserted, exchanges, isWhole }: Closeness, nearBy: ReadonlySet<string>): boolean {
  const isHarmless = (token: StatementToken): boolean =>
    token.kind === 'word' &&
    inserted.includes(token) &&
    (nearBy.has(token.stem) || (!token.isName && !isRare(token)));
  return exchanges.length === 0 && isWhole && added.every(isHarmless);
}

function isCloser(one: Closeness, other: Closeness): boolean {
  return one.matched - other.matched > 0 || (one.matched === other.matched && one.share > other.share);
}

/** What makes a claim less sure is no news. */
function isRare({ kind, stem, text }: StatementToken): boolean {
  if (kind === 'number') return true;
  return (
    kind === 'word' &&
    !STOP_WORDS.has(text) &&
    !isHedge(stem) &&
    !isReporting(stem) &&
    rarityOf(stem, 0, 0) >= RARE
  );
}
