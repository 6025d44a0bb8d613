import { append } from '../lib/iterables';
import { withinSentence } from '../lib/strings';
import { smoothedIdf } from '../text/collection';
import { unitRatio } from '../text/numbers';
import { areContrary } from '../text/polarity';
import { splitSentences } from '../text/sentences';
import { isHedge, isReportingWord, STOP_WORDS } from '../text/words';
import { preparePassages, splitClauses } from './claim-passages';
import {
  absentNumbers,
  isSameAmount,
  type StatementToken,
  statementTokens,
  withNumbers,
} from './claim-tokens';
import data from './data/introductions.json';

export interface CitedMaterial {
  passages: readonly string[];
  /** Authors and dates of the cited sources, which a sentence may name. */
  attribution: readonly string[];
  /** Further texts, such as titles, whose numbers are not certainly wrong. */
  numbersFrom: readonly string[];
}

/**
 * Lexical judgement of a sentence: close to the cited passages (their indices), certainly wrong, or undecided. Words
 * alone cannot tell an invention from a free paraphrase.
 */
export type SentenceJudgement =
  | { verdict: 'close'; passages: number[] }
  | { verdict: 'certainly-wrong'; reason: string }
  | { verdict: 'undecided' };

export function judgeSentence(sentence: string, material: CitedMaterial): SentenceJudgement {
  const { passages, attribution, numbersFrom } = material;
  const [absent] = absentNumbers(sentence, withNumbers([...passages, ...attribution, ...numbersFrom]));
  if (absent !== undefined) {
    return { verdict: 'certainly-wrong', reason: `“${absent}” stands in nothing that it cites` };
  }
  const known = new Set(attribution.flatMap((text) => statementTokens(text).map(tokenKey)));
  const prepared = preparePassages(passages.map((text, at) => ({ sourceId: `${at}`, text, start: 0 })));
  const compared = prepared.sentences.map((_, at) => ({
    sentence: at,
    statements: prepared.statementsOf(at),
  }));
  const close = compareClosely(sentence, compared, known, ({ stem }) => prepared.holdersOf(stem).length > 0);
  if (close.says === 'same') {
    const found = close.sentences.map((at) => prepared.sentences[at]?.passage ?? 0);
    return { verdict: 'close', passages: [...new Set(found)] };
  }
  if (close.says === 'exchanged')
    return { verdict: 'certainly-wrong', reason: withinSentence(close.exchange.reason).replace(/\.$/, '') };
  return { verdict: 'undecided' };
}

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
const MAX_TOKENS = 400;
const RARE_WORD_WEIGHT = 3;

/**
 * Compares the whole claim, then each of its statements if that is undecided. `known` are the keys of attribution
 * tokens. `isHeld` is true for a word anywhere in the cited text.
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
  const parts = splitSentences(plain).flatMap(({ text }) => splitClauses(text));
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
  if (tokens.length > MAX_TOKENS) return NOTHING;
  const compared = sentences.flatMap(({ sentence, statements }) =>
    statements.map((statement) => ({
      sentence,
      statement,
      ...closenessOf(tokens, statement.slice(0, 2 * MAX_TOKENS), known),
    })),
  );
  const close = compared.filter(({ share }) => share >= CLOSE);
  const nearBy = new Set(compared.flatMap(({ statement }) => statement.map(({ stem }) => stem)));
  const same = close.filter((one) => addsNothing(one, nearBy));
  if (same.length > 0) return { says: 'same', sentences: [...new Set(same.map(({ sentence }) => sentence))] };
  const best = close.reduce<(typeof close)[number] | null>(
    (found, one) => (found === null || isCloser(one, found) ? one : found),
    null,
  );
  if (best === null) return NOTHING;
  // A name that occurs elsewhere in the cited text may be right here.
  const exchange = best.exchanges.find(
    ({ kind, claimed: token }) => kind !== 'name' || token === null || !isHeld(token),
  );
  return exchange === undefined ? NOTHING : { says: 'exchanged', sentences: [best.sentence], exchange };
}

/** True if added tokens replace nothing, and occur nearby or are common words. */
function addsNothing(
  { added, inserted, exchanges, isWhole }: Closeness,
  nearBy: ReadonlySet<string>,
): boolean {
  const isHarmless = (token: StatementToken): boolean =>
    token.kind === 'word' &&
    inserted.includes(token) &&
    (nearBy.has(token.stem) || (!token.isName && !isRare(token)));
  return exchanges.length === 0 && isWhole && added.every(isHarmless);
}

function isCloser(one: Closeness, other: Closeness): boolean {
  return one.matched - other.matched > 0 || (one.matched === other.matched && one.share > other.share);
}

function isRare({ kind, stem, text }: StatementToken): boolean {
  if (kind === 'number') return true;
  return (
    kind === 'word' &&
    !STOP_WORDS.has(text) &&
    !isHedge(stem) &&
    !isReportingWord(stem) &&
    smoothedIdf(stem, 0, 0) >= RARE_WORD_WEIGHT
  );
}

const CLOSE = 0.8;
const MIN_TOKENS = 4;
/**
 * Maximum omission within a sentence relative to the matched tokens; more could join a subject with another's
 * predicate.
 */
const MAX_OMITTED_SHARE = 0.5;
const ALLOWED_OMISSIONS = 3;

interface Closeness {
  /** Share of the claim's tokens that the statement has in the same order, or exchanges. */
  share: number;
  matched: number;
  exchanges: Exchange[];
  /** Tokens of the claim that the statement lacks, without attribution. */
  added: StatementToken[];
  /** Those added tokens that replace nothing. */
  inserted: StatementToken[];
  isWhole: boolean;
}

function closenessOf(
  claim: readonly StatementToken[],
  statement: readonly StatementToken[],
  known: ReadonlySet<string>,
): Closeness {
  const { matched, differences } = alignStatements(claim, statement);
  const exchanges = differences.flatMap(findExchanges);
  const added = differences.flatMap(({ claimed }) => claimed.filter((token) => !isAttribution(token, known)));
  const inserted = differences
    .filter(({ cited }) => cited.length === 0)
    .flatMap(({ claimed }) => claimed.filter((token) => !isAttribution(token, known)));
  const total = matched + added.length;
  const leftOut = differences.reduce(
    (sum, { place, cited }) => sum + (place === 'within' ? cited.length : 0),
    0,
  );
  return {
    share:
      total < MIN_TOKENS ? 0 : (matched + exchanges.reduce((sum, { tokens }) => sum + tokens, 0)) / total,
    matched,
    exchanges,
    added,
    inserted,
    isWhole:
      !differences.some((one) => omitsQualifier(one) || omitsClauseJoint(one)) &&
      leftOut <= Math.max(ALLOWED_OMISSIONS, MAX_OMITTED_SHARE * matched),
  };
}

/** Attribution and reporting verbs are not part of the statement. */
function isAttribution(token: StatementToken, known: ReadonlySet<string>): boolean {
  return token.kind !== 'negator' && (known.has(tokenKey(token)) || isReportingWord(token.stem));
}

/** A claim must keep negations anywhere (`…, which was not significant`), and hedges before or within its tokens. */
function omitsQualifier({ cited, place }: Difference): boolean {
  return cited.some(
    ({ kind, stem }) => kind === 'negator' || (place !== 'behind' && kind === 'word' && isHedge(stem)),
  );
}

/** Omits the text between the subject of one statement and the predicate of another. */
function omitsClauseJoint({ cited, place, isJoint }: Difference): boolean {
  return place === 'within' && isJoint && cited.length > 0;
}

export function tokenKey({ number, stem }: StatementToken): string {
  return number === null ? stem : `${number.value}`;
}

interface Difference {
  claimed: StatementToken[];
  cited: StatementToken[];
  place: 'before' | 'within' | 'behind';
  /** True if the sentence begins another statement in the stretch or right behind it, and the claim does not. */
  isJoint: boolean;
}

export interface Alignment {
  matched: number;
  differences: Difference[];
}

/** Longest common subsequence; the earliest in the sentence among several. */
function alignStatements(claim: readonly StatementToken[], sentence: readonly StatementToken[]): Alignment {
  const lengths = commonLengths(claim, sentence);
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  const differences: Difference[] = [];
  let [row, column, matched] = [0, 0, 0];
  let open: Difference = { claimed: [], cited: [], place: 'before', isJoint: false };
  const close = (place: Difference['place'], claimed?: StatementToken, cited?: StatementToken): void => {
    const isJoint =
      open.cited.some((token) => token.isJoined) || (cited?.isJoined === true && claimed?.isJoined !== true);
    if (open.claimed.length + open.cited.length > 0) differences.push({ ...open, place, isJoint });
    open = { claimed: [], cited: [], place: 'within', isJoint: false };
  };
  while (row < claim.length && column < sentence.length) {
    const [one, other] = [claim[row], sentence[column]];
    if (one === undefined || other === undefined) break;
    if (isSameToken(one, other) && at(row, column) === at(row + 1, column + 1) + 1) {
      close(matched === 0 ? 'before' : 'within', one, other);
      matched += 1;
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      open.claimed.push(one);
      row += 1;
    } else {
      open.cited.push(other);
      column += 1;
    }
  }
  append(open.claimed, claim.slice(row));
  append(open.cited, sentence.slice(column));
  close('behind');
  return { matched, differences };
}

function commonLengths(claim: readonly StatementToken[], sentence: readonly StatementToken[]): number[][] {
  const lengths = Array.from({ length: claim.length + 1 }, () =>
    new Array<number>(sentence.length + 1).fill(0),
  );
  for (let row = claim.length - 1; row >= 0; row -= 1) {
    for (let column = sentence.length - 1; column >= 0; column -= 1) {
      const [own, below] = [lengths[row], lengths[row + 1]];
      const [one, other] = [claim[row], sentence[column]];
      if (own === undefined || below === undefined || one === undefined || other === undefined) continue;
      own[column] = isSameToken(one, other)
        ? (below[column + 1] ?? 0) + 1
        : Math.max(below[column] ?? 0, own[column + 1] ?? 0);
    }
  }
  return lengths;
}

/** Numbers may be rounded or converted to another unit. */
function isSameToken(claimed: StatementToken, cited: StatementToken): boolean {
  if (claimed.kind !== cited.kind) return false;
  if (claimed.number !== null && cited.number !== null) return isSameAmount(claimed.number, cited.number);
  return claimed.stem === cited.stem;
}

interface Exchange {
  kind: 'number' | 'name' | 'contrary' | 'negation';
  reason: string;
  tokens: number;
  claimed: StatementToken | null;
}

const MAX_EXCHANGE_TOKENS = 6;
const MAX_NAME_EXCHANGE_TOKENS = 3;
const NEGATION_REACH = 2;

function findExchanges({ claimed, cited, place }: Difference): Exchange[] {
  const near = adjacentTokens(cited, place, claimed.length);
  if (claimed.length > MAX_EXCHANGE_TOKENS || near.length > MAX_EXCHANGE_TOKENS)
    return lostNegation(cited, claimed, place);
  const standsFor = claimed.length <= MAX_NAME_EXCHANGE_TOKENS && near.length <= MAX_NAME_EXCHANGE_TOKENS;
  return [
    ...claimed.flatMap((token) => exchangeOf(token, near, standsFor) ?? []),
    ...lostNegation(cited, claimed, place),
  ];
}

/** Before the first and behind the last common token only the adjacent tokens count. */
function adjacentTokens(
  cited: readonly StatementToken[],
  place: Difference['place'],
  size: number,
): StatementToken[] {
  if (place === 'within') return [...cited];
  return place === 'before' ? cited.slice(Math.max(0, cited.length - size)) : cited.slice(0, size);
}

function exchangeOf(
  token: StatementToken,
  cited: readonly StatementToken[],
  standsFor: boolean,
): Exchange | null {
  const told = (kind: Exchange['kind'], reason: string): Exchange => ({
    kind,
    reason,
    tokens: 1,
    claimed: token,
  });
  const instead = (other: StatementToken): string =>
    `It says “${token.text}” where what it cites says “${other.text}”.`;
  if (token.kind === 'negator') {
    return told('negation', `It denies with “${token.text}” what the source that it cites does not deny.`);
  }
  if (token.kind === 'number') {
    const other = cited.find(
      ({ number }) =>
        number !== null && !number.isDate && unitRatio(number.unit, token.number?.unit ?? '') !== null,
    );
    return other === undefined || token.number?.isApproximate === true
      ? null
      : told('number', instead(other));
  }
  // `the same` for `did not differ` is no exchange.
  const denies = cited.some(({ kind }) => kind === 'negator');
  const contrary = denies ? undefined : cited.find((other) => isContrary(token, other));
  if (contrary !== undefined) return told('contrary', instead(contrary));
  const name =
    token.isName && standsFor
      ? cited.find((other) => other.kind === 'word' && other.isName && other.text.length > 1)
      : undefined;
  return name === undefined ? null : told('name', instead(name));
}

function isContrary(one: StatementToken, other: StatementToken): boolean {
  return one.kind === 'word' && other.kind === 'word' && areContrary(one.stem, other.stem);
}

function lostNegation(
  cited: readonly StatementToken[],
  claimed: readonly StatementToken[],
  place: Difference['place'],
): Exchange[] {
  const at = cited.findLastIndex(({ kind }) => kind === 'negator');
  const denial = cited[at];
  if (place === 'behind' || denial === undefined || cited.length - 1 - at > NEGATION_REACH) return [];
  if (claimed.some((token) => token.kind === 'negator' || cited.some((other) => isContrary(token, other))))
    return [];
  return [
    {
      kind: 'negation',
      reason: `It leaves out the “${denial.text}” of what it cites.`,
      tokens: 0,
      claimed: null,
    },
  ];
}
