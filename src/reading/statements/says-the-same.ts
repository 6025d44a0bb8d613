import type { EncodedText } from '../../encoder/encoder';
import { lookedFor, type LookedFor, nearnessOfWords, onlyWords } from '../../encoder/late-interaction';
import { numbersIn } from '../../language/numbers';
import { sameNumber } from '../../language/same-number';
import { STOP_WORDS, stemOf } from '../../language/words';
import type { WeightOf } from './compare-statements';
import { type Statement, statementMatter, type Told, type Verdict } from './statement';
import { figuresDiffer, figuresOf, withoutSureness } from './statement-figures';

/** A statement with what it means. */
export interface MeantStatement {
  statement: Statement;
  text: EncodedText;
  title: EncodedText;
}

/** From this cosine on a word is said, if in another word. Measured in docs/evaluation.md, as the others are. */
const SAID = 0.5;
/** An effect is told of the same where its words are said by so much of their weight, come so near on the mean, and are so many. */
const OF_ONE_THING = { said: 0.8, mean: 0.7, words: 4 };
/** So near must the words of the title come: what was tried is often named there alone. */
const OF_ONE_TRIAL = 0.45;
/** What is said in nearly the same words may differ in no word that is not a synonym. */
const NEARLY_THE_SAME = 0.8;
const SYNONYM = 0.75;
/** Fewer words say nothing in particular. */
const LEAST_WORDS = 5;

/**
 * Whether the quote says what is claimed, though in other words: meaning tells that both speak of the same, and words that they
 * say the same of it, since opposites lie nearer to each other than paraphrases do. What else the quote says is of no account.
 */
export function saysTheSame(claim: MeantStatement, quote: MeantStatement, weightOf: WeightOf): boolean {
  if (!maySayTheSame(claim.statement, quote.statement) || areSubstituted(claim, quote)) return false;
  const effect = effectIn(claim.statement);
  if (effect === null) return isParaphrase(claim, quote);
  const one = { ...claim, part: effect };
  return quote.statement.parts.some(
    (part) => mayBeOfOneEffect(effect, part) && areOfOneThing(one, { ...quote, part }, weightOf),
  );
}

/** What words alone leave open, so that the others need not be read by their meaning. */
export function maySayTheSame(claim: Statement, quote: Statement): boolean {
  if (claim.isUncertain || quote.isUncertain) return false;
  if (figuresDiffer(claim.figures.circumstances, quote.figures.circumstances)) return false;
  if (figuresDiffer(claim.figures.dates, quote.figures.dates)) return false;
  const effect = effectIn(claim);
  if (effect !== null)
    return (
      haveNamedSubject(claim, effect, quote) && quote.parts.some((part) => mayBeOfOneEffect(effect, part))
    );
  return (
    [claim, quote].every(tellsNoEffect) &&
    claim.negations === quote.negations &&
    holdsNames(claim, quote) &&
    holdsNumbers(claim.text, quote.text)
  );
}

/** The first part of a statement that tells one effect. */
function effectIn({ parts }: Statement): Told | null {
  return parts.find((part) => plainVerdict(part) !== null) ?? null;
}

function mayBeOfOneEffect(claim: Told, quote: Told): boolean {
  return (
    plainVerdict(claim) === plainVerdict(quote) &&
    claim.isOfComparator === quote.isOfComparator &&
    comparesKinds(claim) === comparesKinds(quote) &&
    !figuresDiffer(resultsOf(claim.text), resultsOf(quote.text))
  );
}

function tellsNoEffect({ verdict, effects }: Told): boolean {
  return verdict === null && effects.length === 0;
}

/** Whether they are in nearly the same words, and differ in one that is no synonym, in a name or in a number. */
function areSubstituted(claim: MeantStatement, quote: MeantStatement): boolean {
  const [there, back] = [wordsNear(claim, quote), wordsNear(quote, claim)];
  if ([there, back].some((near) => sumOf(near) < NEARLY_THE_SAME * near.length)) return false;
  const [one, other] = [claim.statement, quote.statement];
  return (
    Math.min(...there, ...back) < SYNONYM ||
    !holdsNames(one, other) ||
    !holdsNames(other, one) ||
    !holdsNumbers(one.text, other.text) ||
    !holdsNumbers(other.text, one.text)
  );
}

/** What all words of effect in a part tell; null where they tell of several, or of none. */
function plainVerdict({ verdict, effects }: Told): Verdict | null {
  if (verdict === null || verdict === 'some') return null;
  return effects.every((effect) => effect === verdict) ? verdict : null;
}

type MeantPart = MeantStatement & { part: Told };

function areOfOneThing(claim: MeantPart, quote: MeantPart, weightOf: WeightOf): boolean {
  const [one, other] = [claim.part, quote.part];
  const words = wordsOf(claim.text, (stem) => one.matter.has(stem));
  const isOfQuote = (stem: string): boolean => other.matter.has(stem);
  const whole = onlyWords(quote.text, wordsOf(quote.text, isOfQuote));
  // That it holds in those who lack something says nothing of what becomes of that.
  const core = onlyWords(
    quote.text,
    wordsOf(quote.text, (stem) => isOfQuote(stem) && !other.circumstances.has(stem)),
  );
  const near = words.flatMap((word) => {
    const isCore = !one.circumstances.has(stemOf(word.text));
    return nearnessOfWords(claim.text, [word], [isCore ? core : whole, quote.title]);
  });
  const weights = words.map(({ text }) => weightOf(stemOf(text)));
  const share = (of: (cosine: number) => number): number =>
    sumOf(near.map((cosine, at) => of(cosine) * (weights[at] ?? 0))) /
    Math.max(sumOf(weights), Number.EPSILON);
  return (
    words.length >= OF_ONE_THING.words &&
    share((cosine) => cosine) >= OF_ONE_THING.mean &&
    share((cosine) => (cosine >= SAID ? 1 : 0)) >= OF_ONE_THING.said &&
    areOfOneTrial(claim, quote)
  );
}

/** `higher with 4,000 IU than with 2,000 IU`, which says nothing of either against none. */
function comparesKinds({ comparedWith, matter }: Told): boolean {
  return [...comparedWith].some((stem) => matter.has(stem));
}

/** The results that are told outside brackets. */
function resultsOf(text: string): Statement['figures']['results'] {
  return figuresOf(withoutSureness(text).replace(/\([^()]*\)/g, ' ')).results;
}

/** Whether both name something that both titles name: an outcome alone is measured of many things. */
function haveNamedSubject(claim: Statement, effect: Told, quote: Statement): boolean {
  const isNamed = (stem: string): boolean =>
    quote.title.has(stem) && effect.matter.has(stem) && quote.matter.has(stem);
  return claim.title.size === 0 || quote.title.size === 0 || [...claim.title].some(isNamed);
}

function areOfOneTrial(claim: MeantStatement, { text, title }: MeantStatement): boolean {
  const { title: words, among } = claim.statement;
  const near = nearnessOfWords(
    claim.title,
    wordsOf(claim.title, (stem) => words.has(stem) && !among.has(stem)),
    [text, title],
  );
  return near.length === 0 || title.tokens.length === 0 || sumOf(near) >= OF_ONE_TRIAL * near.length;
}

/** A statement of no effect is said where each of its words is. */
function isParaphrase(claim: MeantStatement, quote: MeantStatement): boolean {
  const near = wordsNear(claim, quote);
  return near.length >= LEAST_WORDS && Math.min(...near) >= SAID;
}

function wordsNear({ text }: MeantStatement, other: MeantStatement): number[] {
  return nearnessOfWords(
    text,
    wordsOf(text, () => true),
    [other.text, other.title],
  );
}

const NAME = /(?<=\S\s)["“(]?(\p{Lu}[\p{L}\p{N}]*)/gu;

/** Whether what has a capital within the one sentence stands in the other, or in its title. */
function holdsNames({ text }: Statement, other: Statement): boolean {
  const held = new Set([...statementMatter(other.text), ...other.title]);
  return [...text.matchAll(NAME)].every(
    ([, name = '']) => STOP_WORDS.has(name.toLowerCase()) || held.has(stemOf(name.toLowerCase())),
  );
}

function holdsNumbers(text: string, other: string): boolean {
  const held = numbersIn(other);
  return numbersIn(text).every((number) => held.some((known) => sameNumber(number, known)));
}

function wordsOf(text: EncodedText, isWanted: (stem: string) => boolean): LookedFor[] {
  return lookedFor(text, (word) => !STOP_WORDS.has(word) && isWanted(stemOf(word)), false);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
