import type { Question } from '../question/question';
import { compareStatements, type Comparison, type WeightOf } from '../statements/compare-statements';
import { figureClash } from '../statements/figure-clash';
import { indexStatements } from '../statements/statement-index';
import { type Statement } from '../statements/statement';
import { placedWords } from '../../language/word-positions';
import { isNegated } from '../../language/negation';
import { stemOf, terms } from '../../language/words';
import { placeOf, type QuotedStatement } from './quoted-statement';

/** Two quotes of different sources that cannot both be right. */
export interface Clash {
  a: QuotedStatement;
  b: QuotedStatement;
  comparison: Extract<Comparison, { relation: 'clash' }>;
}

/** So many quotes are held against each one, those that share most with it. */
const NEAREST = 25;

const ONE_VALUE: ReadonlySet<Question['kind']> = new Set(['number', 'definition', 'date']);

export interface ComparedPair {
  a: QuotedStatement;
  b: QuotedStatement;
  comparison: Comparison;
}

/**
 * The pairs of quotes of different sources that say the same or cannot both be right. If the question asks for one value, quotes
 * with a measured value are compared even if they share few words; if it asks for yes or no, quotes that affirm and that deny it.
 */
export function comparedPairs(
  quotes: readonly QuotedStatement[],
  asked?: Question,
): {
  pairs: ComparedPair[];
  weightOf: WeightOf;
} {
  const { weightOf, nearest } = indexStatements(quotes.map(({ statement }) => statement.matter));
  const seen = new Set<string>();
  const answerOne = asked !== undefined && asksForValue(asked);
  const answering = quotes.flatMap(({ statement }, at) => {
    if (answerOne) return statement.measured === null ? [] : [at];
    return asked === undefined || answerTo(asked, statement) === null ? [] : [at];
  });
  const pairs = quotes.flatMap((one, at) =>
    [
      ...nearest(one.statement.matter, NEAREST),
      ...(answering.includes(at) ? answering.slice(0, NEAREST) : []),
    ].flatMap((place) => {
      const other = quotes[place];
      const key = at < place ? `${at} ${place}` : `${place} ${at}`;
      if (other === undefined || seen.has(key)) return [];
      seen.add(key);
      const [first, second] = at < place ? [one, other] : [other, one];
      return comparedPair(first, second, weightOf, { answerOne, asked });
    }),
  );
  return { pairs, weightOf };
}

/**
 * Whether a question asks for one value or date, or of the values that are found of it: `How fast does the universe expand?`, `What is the
 * Hubble constant?`, `Why do measurements of the Hubble constant disagree?`
 */
export function asksForValue({ kind, asksForEffect, asksOfValues }: Question): boolean {
  return asksOfValues || (!asksForEffect && ONE_VALUE.has(kind));
}

export function comparedPair(
  a: QuotedStatement,
  b: QuotedStatement,
  weightOf: WeightOf,
  { answerOne = false, asked }: { answerOne?: boolean; asked?: Question | undefined } = {},
): ComparedPair[] {
  if (a.root === b.root) return [];
  const comparison =
    compareStatements(a.statement, b.statement, weightOf, answerOne) ??
    otherFigure(a.statement, b.statement) ??
    (asked === undefined ? null : otherAnswer(asked, a.statement, b.statement));
  return comparison === null ? [] : [{ a, b, comparison }];
}

function otherFigure(a: Statement, b: Statement): Comparison | null {
  const figures = figureClash(a.text, b.text);
  return figures === null ? null : { relation: 'clash', kind: 'number', figures };
}

function otherAnswer(asked: Question, a: Statement, b: Statement): Comparison | null {
  const [one, other] = [answerTo(asked, a), answerTo(asked, b)];
  if (one === null || other === null || one.isYes === other.isYes) return null;
  // Both may be right about different people or conditions.
  const isElsewhere =
    [one, other].every(({ tail }) => tail.length > 0) && one.tail.join() !== other.tail.join();
  return isElsewhere ? null : { relation: 'clash', kind: 'direction', verdicts: [null, null] };
}

const ENDS_DENYING = /(?:\bnot|n['’]t)\W*$/;

/**
 * The answer of a statement to a yes-or-no question. The statement and its title have all words of the question, and the statement
 * affirms or denies the last of these. `tail` are the words behind it. Null if the statement does neither.
 */
function answerTo(
  { asksWhether, words, asking }: Question,
  { text, title }: Statement,
): { isYes: boolean; tail: string[] } | null {
  const about = words.filter((word) => !asking.has(word));
  const predicate = about.at(-1);
  if (!asksWhether || predicate === undefined) return null;
  const contrary = [`un${predicate}`, `in${predicate}`].map(stemOf);
  const placed = placedWords(text);
  const at = placed.findLastIndex(({ stem }) => stem === predicate || contrary.includes(stem));
  const isElided = at < 0 && ENDS_DENYING.test(text);
  const held = new Set([...terms(text), ...title]);
  if ((at < 0 && !isElided) || about.some((word) => word !== predicate && !held.has(word))) return null;
  const found = placed[at];
  if (found === undefined) return { isYes: false, tail: [] };
  const isNo = isNegated(placed, at) !== contrary.includes(found.stem);
  return { isYes: !isNo, tail: terms(text.slice(found.end).split(/[,;:.()]/)[0] ?? '') };
}

/**
 * The clashes among compared quotes. A source that says the one here and the other there speaks of conditions that were not
 * seen, and counts for neither.
 */
export function clashesIn(pairs: readonly ComparedPair[]): Clash[] {
  const agreeing = pairs.filter(({ comparison }) => comparison.relation === 'agree');
  const sayings = (found: readonly ComparedPair[]): Set<string> =>
    new Set(found.flatMap(({ a, b }) => [sayingOf(a, b), sayingOf(b, a)]));
  const [said, saidInFigures] = [sayings(agreeing), sayings(agreeing.filter(giveFigures))];
  return pairs.flatMap(({ a, b, comparison }) => {
    if (comparison.relation !== 'clash') return [];
    const known = comparison.kind === 'number' ? saidInFigures : said;
    return known.has(sayingOf(a, b)) || known.has(sayingOf(b, a)) ? [] : [{ a, b, comparison }];
  });
}

function giveFigures({ a, b }: ComparedPair): boolean {
  return [a, b].every(({ statement }) => statement.figures.results.length > 0);
}

function sayingOf({ evidence }: QuotedStatement, { root }: QuotedStatement): string {
  return `${root} says ${placeOf(evidence)}`;
}
