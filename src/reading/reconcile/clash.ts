import { compareStatements, type Comparison, type WeightOf } from '../statements/compare-statements';
import { indexStatements } from '../statements/statement-index';
import { placeOf, type QuotedStatement } from './quoted-statement';

/** Two quotes of different sources that cannot both be right. */
export interface Clash {
  a: QuotedStatement;
  b: QuotedStatement;
  comparison: Extract<Comparison, { relation: 'clash' }>;
}

/** So many quotes are held against each one, those that share most with it. */
const NEAREST = 25;

/** Two quotes of different sources with what they are to each other. */
export interface ComparedPair {
  a: QuotedStatement;
  b: QuotedStatement;
  comparison: Comparison;
}

/** The pairs of quotes, of different sources, that say the same or cannot both be right. */
export function comparedPairs(quotes: readonly QuotedStatement[]): {
  pairs: ComparedPair[];
  weightOf: WeightOf;
} {
  const { weightOf, nearest } = indexStatements(quotes.map(({ statement }) => statement.matter));
  const seen = new Set<string>();
  const pairs = quotes.flatMap((one, at) =>
    nearest(one.statement.matter, NEAREST).flatMap((place) => {
      const other = quotes[place];
      const key = at < place ? `${at} ${place}` : `${place} ${at}`;
      if (other === undefined || seen.has(key)) return [];
      seen.add(key);
      return at < place ? comparedPair(one, other, weightOf) : comparedPair(other, one, weightOf);
    }),
  );
  return { pairs, weightOf };
}

/** The pair, where its quotes are of different sources and something is known of what they are to each other. */
export function comparedPair(a: QuotedStatement, b: QuotedStatement, weightOf: WeightOf): ComparedPair[] {
  if (a.root === b.root) return [];
  const comparison = compareStatements(a.statement, b.statement, weightOf);
  return comparison === null ? [] : [{ a, b, comparison }];
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

/** That a source says what the quote does. */
function sayingOf({ evidence }: QuotedStatement, { root }: QuotedStatement): string {
  return `${root} says ${placeOf(evidence)}`;
}
