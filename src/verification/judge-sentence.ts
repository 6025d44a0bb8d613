import { splitSentences } from '../language/sentences';
import { isHedge, isReporting } from '../language/word-weight';
import { absentNumbers, numberedTexts } from './absent-numbers';
import { alignStatements, type Difference } from './align-statements';
import { clausesOf } from './clauses';
import { type Exchange, findExchanges } from './find-exchanges';
import { type StatementToken, statementTokens } from './statement-tokens';

/** What a sentence is held against. */
export interface CitedMaterial {
  /** The quotes of what it cites. */
  passages: readonly string[];
  /** Who says it and when: authors and dates of what it cites; a sentence may name them. */
  attribution: readonly string[];
  /** Further texts that hold numbers of what it cites, such as titles; a number of theirs is not certainly wrong. */
  numbersFrom: readonly string[];
}

/**
 * What words alone can tell of a sentence: that it keeps close to what it cites (then by the passages at these places), that
 * it is certainly wrong, or nothing. Only a reader can tell an invention from a free paraphrase.
 */
export type SentenceJudgement =
  | { verdict: 'close'; passages: number[] }
  | { verdict: 'certainly-wrong'; reason: string }
  | { verdict: 'undecided' };

/** From this share of a claim's tokens on, common or exchanged, it says what the sentence says but for what is exchanged. */
const NEAR = 0.8;
/** Of fewer tokens no share says anything. */
const FEWEST_TOKENS = 4;

/** Pure. */
export function judgeSentence(sentence: string, material: CitedMaterial): SentenceJudgement {
  const { passages, attribution, numbersFrom } = material;
  const [absent] = absentNumbers(sentence, numberedTexts([...passages, ...attribution, ...numbersFrom]));
  if (absent !== undefined) {
    return { verdict: 'certainly-wrong', reason: `“${absent}” stands in nothing that it cites` };
  }
  const units = unitsOf(passages);
  const known = new Set(attribution.flatMap((text) => statementTokens(text).map(keyOf)));
  const whole = judgeClause(sentence, units, known);
  if (whole.verdict !== 'undecided') return whole;
  const clauses = clausesOf(sentence);
  if (clauses.length === 1) return whole;
  const judged = clauses.map((clause) => judgeClause(clause, units, known));
  const wrong = judged.find(({ verdict }) => verdict === 'certainly-wrong');
  if (wrong !== undefined) return wrong;
  const close = judged.flatMap((one) => (one.verdict === 'close' ? [one.passages] : []));
  return close.length < clauses.length
    ? { verdict: 'undecided' }
    : { verdict: 'close', passages: [...new Set(close.flat())] };
}

/** A sentence of a passage, or a statement that it joins to others. */
interface Unit {
  passage: number;
  tokens: StatementToken[];
}

function unitsOf(passages: readonly string[]): Unit[] {
  return passages.flatMap((text, passage) =>
    splitSentences(text)
      .flatMap(({ text: sentence }) => [...new Set([sentence, ...clausesOf(sentence)])])
      .map((unit) => ({ passage, tokens: statementTokens(unit) })),
  );
}

function judgeClause(claim: string, units: readonly Unit[], known: ReadonlySet<string>): SentenceJudgement {
  const tokens = statementTokens(claim);
  const compared = units.map((unit) => ({ passage: unit.passage, ...compare(tokens, unit.tokens, known) }));
  const close = compared.filter(({ isClose }) => isClose);
  if (close.length > 0)
    return { verdict: 'close', passages: [...new Set(close.map(({ passage }) => passage))] };
  const best = compared.reduce<(typeof compared)[number] | null>(
    (found, one) => (found === null || one.share > found.share ? one : found),
    null,
  );
  const [exchange] = best?.exchanges ?? [];
  return best === null || exchange === undefined || best.share < NEAR
    ? { verdict: 'undecided' }
    : { verdict: 'certainly-wrong', reason: exchange.reason };
}

function compare(
  claim: readonly StatementToken[],
  sentence: readonly StatementToken[],
  known: ReadonlySet<string>,
): { isClose: boolean; share: number; exchanges: Exchange[] } {
  const { matched, differences } = alignStatements(claim, sentence);
  const exchanges = differences.flatMap(findExchanges);
  const added = differences.flatMap(({ claimed }) => claimed.filter((token) => !isFrame(token, known)));
  const total = matched + added.length;
  if (total < FEWEST_TOKENS) return { isClose: false, share: 0, exchanges: [] };
  return {
    isClose: added.length === 0 && exchanges.length === 0 && !differences.some(losesWeight),
    share: (matched + exchanges.reduce((sum, { tokens }) => sum + tokens, 0)) / total,
    exchanges,
  };
}

/** Who says it, and that they say it, is no part of what is said. */
function isFrame(token: StatementToken, known: ReadonlySet<string>): boolean {
  return token.kind !== 'negator' && (known.has(keyOf(token)) || isReporting(token.stem));
}

/** What may not be lost: a denial anywhere (`…, which was not significant`), and before or within what makes it less sure. */
function losesWeight({ cited, place }: Difference): boolean {
  return cited.some(
    ({ kind, stem }) => kind === 'negator' || (place !== 'behind' && kind === 'word' && isHedge(stem)),
  );
}

function keyOf({ number, stem }: StatementToken): string {
  return number === null ? stem : `${number.value}`;
}
