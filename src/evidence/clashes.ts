import type { Evidence, Finding } from '../contracts/finding';
import { smoothedIdf } from '../text/collection';
import { isNegated } from '../text/polarity';
import type { Question } from '../text/question';
import { splitSentences } from '../text/sentences';
import { placedWords, stemOf, terms } from '../text/words';
import { compareStatements, type Comparison, figureClash, type WeightOf } from './compare-statements';
import { originalOf, type SourcesById } from './corroboration';
import { readStatement, type Statement } from './statement';

// Compares quotes of different sources in pairs; `conflicts.ts` groups the clashes by topic.

export interface Clash {
  a: QuotedStatement;
  b: QuotedStatement;
  comparison: Extract<Comparison, { relation: 'clash' }>;
}

const MAX_COMPARED_QUOTES = 25;

const VALUE_KINDS: ReadonlySet<Question['kind']> = new Set(['number', 'definition', 'date']);

export interface ComparedPair {
  a: QuotedStatement;
  b: QuotedStatement;
  comparison: Comparison;
}

/**
 * Pairs of quotes of different sources that agree or clash. A question for one value also compares quotes with
 * measured values, and a yes/no question quotes that affirm or deny it, even if they share few words.
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
      ...nearest(one.statement.matter, MAX_COMPARED_QUOTES),
      ...(answering.includes(at) ? answering.slice(0, MAX_COMPARED_QUOTES) : []),
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
 * True for a question for one value or date, or about the values found: `What is the Hubble constant?`, `Why do
 * measurements of the Hubble constant disagree?`
 */
export function asksForValue({ kind, asksForEffect, asksOfValues }: Question): boolean {
  return asksOfValues || (!asksForEffect && VALUE_KINDS.has(kind));
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
    figureComparison(a.statement, b.statement) ??
    (asked === undefined ? null : answerComparison(asked, a.statement, b.statement));
  return comparison === null ? [] : [{ a, b, comparison }];
}

function figureComparison(a: Statement, b: Statement): Comparison | null {
  const figures = figureClash(a.text, b.text);
  return figures === null ? null : { relation: 'clash', kind: 'number', figures };
}

function answerComparison(asked: Question, a: Statement, b: Statement): Comparison | null {
  const [one, other] = [answerTo(asked, a), answerTo(asked, b)];
  if (one === null || other === null || one.isYes === other.isYes) return null;
  // Both may be right about different people or conditions.
  const isElsewhere =
    [one, other].every(({ tail }) => tail.length > 0) && one.tail.join() !== other.tail.join();
  return isElsewhere ? null : { relation: 'clash', kind: 'direction', verdicts: [null, null] };
}

const FINAL_NEGATION = /(?:\bnot|n['’]t)\W*$/;

/**
 * A statement's answer to a yes/no question; `tail` are the words behind it. Null unless the statement and its title
 * have all words of the question, and the statement affirms or denies the last one.
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
  const isElided = at < 0 && FINAL_NEGATION.test(text);
  const held = new Set([...terms(text), ...title]);
  if ((at < 0 && !isElided) || about.some((word) => word !== predicate && !held.has(word))) return null;
  const found = placed[at];
  if (found === undefined) return { isYes: false, tail: [] };
  const isNo = isNegated(placed, at) !== contrary.includes(found.stem);
  return { isYes: !isNo, tail: terms(text.slice(found.end).split(/[,;:.()]/)[0] ?? '') };
}

/**
 * Clashes among compared pairs. A source that agrees with both sides reports unknown conditions, so its clashes are
 * dropped.
 */
export function clashesIn(pairs: readonly ComparedPair[]): Clash[] {
  const agreeing = pairs.filter(({ comparison }) => comparison.relation === 'agree');
  const sayings = (found: readonly ComparedPair[]): Set<string> =>
    new Set(found.flatMap(({ a, b }) => [sideKey(a, b), sideKey(b, a)]));
  const [said, saidInFigures] = [sayings(agreeing), sayings(agreeing.filter(haveFigures))];
  return pairs.flatMap(({ a, b, comparison }) => {
    if (comparison.relation !== 'clash') return [];
    const known = comparison.kind === 'number' ? saidInFigures : said;
    return known.has(sideKey(a, b)) || known.has(sideKey(b, a)) ? [] : [{ a, b, comparison }];
  });
}

function haveFigures({ a, b }: ComparedPair): boolean {
  return [a, b].every(({ statement }) => statement.figures.results.length > 0);
}

function sideKey({ evidence }: QuotedStatement, { root }: QuotedStatement): string {
  return `${root} says ${placeKey(evidence)}`;
}

export interface StatementIndex {
  weightOf: WeightOf;
  nearest: (matter: ReadonlySet<string>, most: number) => number[];
  closePairs: () => [number, number][];
}

const COMMON_STEM_SHARE = 0.1;
const MIN_COMMON_STATEMENTS = 100;
const MIN_NEAR_SHARE = 0.2;
/** Minimum Jaccard similarity of close statements. */
const CLOSE = 0.7;
const MIN_WORDS = 2;
/** Maximum statements of one form to compare: thousands that differ in a number are not thousands of results. */
const MAX_SAME_FORM = 30;

export function indexStatements(matters: readonly ReadonlySet<string>[]): StatementIndex {
  const postings = new Map<string, number[]>();
  matters.forEach((matter, at) => {
    for (const stem of matter) {
      const holders = postings.get(stem);
      if (holders === undefined) postings.set(stem, [at]);
      else holders.push(at);
    }
  });
  const holding = (stem: string): number => postings.get(stem)?.length ?? 0;
  const weights = new Map<string, number>();
  const weightOf = (stem: string): number => {
    const known = weights.get(stem);
    if (known !== undefined) return known;
    const weight = smoothedIdf(stem, holding(stem), matters.length);
    weights.set(stem, weight);
    return weight;
  };
  const most = Math.max(MIN_COMMON_STATEMENTS, matters.length * COMMON_STEM_SHARE);
  return {
    weightOf,
    nearest: (matter, count) => nearestStatements(matter, count, { weightOf, postings, most }),
    closePairs: () => closePairs(matters, holding),
  };
}

function nearestStatements(
  matter: ReadonlySet<string>,
  count: number,
  { weightOf, postings, most }: { weightOf: WeightOf; postings: ReadonlyMap<string, number[]>; most: number },
): number[] {
  const shared = new Map<number, number>();
  let whole = 0;
  for (const stem of matter) {
    const holders = postings.get(stem) ?? [];
    whole += weightOf(stem);
    if (holders.length > most) continue;
    for (const at of holders) shared.set(at, (shared.get(at) ?? 0) + weightOf(stem));
  }
  return [...shared]
    .filter(([, weight]) => weight >= MIN_NEAR_SHARE * whole)
    .sort(([one, weight], [other, otherWeight]) => otherWeight - weight || one - other)
    .slice(0, count)
    .map(([at]) => at);
}

/** Sets above the threshold share one of their rarest members (prefix filtering, Chaudhuri et al. 2006). */
function closePairs(
  matters: readonly ReadonlySet<string>[],
  holding: (stem: string) => number,
): [number, number][] {
  const byRarest = new Map<string, number[]>();
  const pairs: [number, number][] = [];
  matters.forEach((matter, at) => {
    if (matter.size < MIN_WORDS) return;
    const rarestFirst = [...matter].sort((a, b) => holding(a) - holding(b) || (a < b ? -1 : 1));
    const rarest = rarestFirst.slice(0, Math.floor((1 - CLOSE) * matter.size) + 1);
    const met = new Set<number>();
    for (const stem of rarest) {
      const others = byRarest.get(stem) ?? [];
      byRarest.set(stem, [...others.slice(1 - MAX_SAME_FORM), at]);
      for (const other of others) {
        if (!met.has(other) && areClose(matter, matters[other] ?? new Set())) pairs.push([other, at]);
        met.add(other);
      }
    }
  });
  return pairs;
}

function areClose(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (Math.min(one.size, other.size) < CLOSE * Math.max(one.size, other.size)) return false;
  let shared = 0;
  for (const stem of one) if (other.has(stem)) shared += 1;
  return shared >= CLOSE * (one.size + other.size - shared);
}

export interface QuotedStatement {
  evidence: Evidence;
  statement: Statement;
  /** Original source; quotes of one root neither contradict nor confirm each other. */
  root: string;
  findingId?: string;
  confidence: number;
}

const MIN_QUESTION_WORDS = 3;

export function quotedStatements(
  findings: readonly Finding[],
  sources: SourcesById,
  asked?: Question,
): QuotedStatement[] {
  return findings.flatMap(({ id, confidence, evidence }) =>
    evidence
      .flatMap(sentencesOf)
      .map((sentence) => ({ ...quotedStatement(sentence, sources, asked), findingId: id, confidence })),
  );
}

/** The first quote of each finding; agreement of the others was found before. */
export function claimedStatements(findings: readonly Finding[], sources: SourcesById): QuotedStatement[] {
  return quotedStatements(
    findings.map((finding) => ({ ...finding, evidence: finding.evidence.slice(0, 1) })),
    sources,
  );
}

export function quotedStatement(evidence: Evidence, sources: SourcesById, asked?: Question): QuotedStatement {
  const statement = readStatement(evidence.quote, sources.get(evidence.sourceId)?.title);
  return {
    evidence,
    statement: namesWholeQuestion(evidence, asked)
      ? { ...statement, title: new Set(asked?.words) }
      : statement,
    root: originalOf(evidence.sourceId, sources),
    confidence: 0,
  };
}

/**
 * True if the quote itself names everything in the question, so that the source's title does not matter: `Alpha
 * trial`.
 */
function namesWholeQuestion(
  { quote }: Evidence,
  { words }: Pick<Question, 'words'> = { words: [] },
): boolean {
  const said = new Set(terms(quote));
  return words.length >= MIN_QUESTION_WORDS && words.every((word) => said.has(word));
}

function sentencesOf(evidence: Evidence): Evidence[] {
  return splitSentences(evidence.quote).map(({ start, end, text }) => ({
    ...evidence,
    quote: text,
    start: evidence.start + start,
    end: evidence.start + end,
  }));
}

export function placeKey({ sourceId, start, end }: Evidence): string {
  return `${sourceId}@${start}-${end}`;
}
