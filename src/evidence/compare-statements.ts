import { MONTH, numbersIn, sameNumber, type TextNumber, unitRatio } from '../text/numbers';
import { areOpposed, type Effect } from '../text/polarity';
import { placedWords, stemOf, STOP_WORDS } from '../text/words';
import {
  type Figure,
  figuresDiffer,
  haveConvertibleUnits,
  type Statement,
  type StatementPart,
  unmatchedFigures as statementUnmatched,
  valuesContradict as areValuesApart,
  type Verdict,
} from './statement';

export type WeightOf = (stem: string) => number;

export type Comparison =
  | { relation: 'agree' }
  | { relation: 'clash'; kind: 'number'; figures: readonly [string, string] }
  | {
      relation: 'clash';
      kind: 'direction' | 'condition';
      verdicts: readonly [Verdict | null, Verdict | null];
    };

const MIN_CLOSENESS = 0.8;
/** Stricter minimum if only a negation differs. */
const MIN_NEGATION_CLOSENESS = 0.95;
const MIN_CONTAINED_SHARE = 0.85;
/** Minimum shared words, and their weight: three words that every tenth sentence has. */
const MIN_SHARED_STEMS = 3;
const MIN_SHARED_WEIGHT = 7;
/** Statements with fewer or commoner words are too general, even if equal. */
const MIN_STATEMENT_STEMS = 2;
const MIN_STATEMENT_WEIGHT = 6;
const MIN_QUANTITY_STEMS = 2;
const MIN_TITLE_OVERLAP = 0.6;

/**
 * Relation of two statements of different sources: they agree, they clash, or null if unknown. A difference in
 * population, amount, duration or comparator gives null. With `answerOne` both answer a question for one value:
 * measured values are compared in any wording, and equal wordings have one subject whatever their titles.
 */
export function compareStatements(
  a: Statement,
  b: Statement,
  weightOf: WeightOf,
  answerOne = false,
): Comparison | null {
  if (a.isUncertain || b.isUncertain || haveDifferentOrdinals(a.text, b.text)) return null;
  if (haveOwnStems(a.among, a, b.among, b)) return null;
  const measured = compareMeasured(a, b, weightOf, answerOne);
  if (measured !== null) return measured;
  if (figuresDiffer(a.figures.circumstances, b.figures.circumstances)) return null;
  const closeness = closenessOf(a.matter, b.matter, weightOf);
  if (closeness < MIN_CLOSENESS) return compareFreely(a, b, weightOf);
  const saysLittle =
    a.matter.size < MIN_STATEMENT_STEMS || totalWeight(a.matter, weightOf) < MIN_STATEMENT_WEIGHT;
  return saysLittle ? null : compareWords(a, b, closeness, weightOf, answerOne);
}

function compareMeasured(
  a: Statement,
  b: Statement,
  weightOf: WeightOf,
  answerOne: boolean,
): Comparison | null {
  const { measured: one } = a;
  const { measured: other } = b;
  if (one === null || other === null || one.isOfSample || other.isOfSample) return null;
  if (!areValuesApart(one, other) || !mayShareSubject(a, b)) return null;
  const [names, others] = [a, b].map((each) => quantityStems(each.text, figureOffset(each), each.matter));
  const shared = new Set(names?.filter((stem) => others?.includes(stem)));
  const isNamed = shared.size >= MIN_QUANTITY_STEMS && totalWeight(shared, weightOf) >= MIN_SHARED_WEIGHT;
  return isNamed || answerOne ? { relation: 'clash', kind: 'number', figures: [one.said, other.said] } : null;
}

/**
 * True if the figures of two answers to one question may contradict each other: same conditions, time and unit, and a
 * difference beyond rounding and errors.
 */
export function mayContradict(a: Statement, b: Statement): boolean {
  if (!mayShareSubject(a, b)) return false;
  const { measured: one } = a;
  const { measured: other } = b;
  if (one !== null && other !== null)
    return !one.isOfSample && !other.isOfSample && areValuesApart(one, other);
  const amounts = ({ figures }: Statement): Figure[] => [...figures.results, ...figures.circumstances];
  return figuresDiffer(amounts(a), amounts(b));
}

/** True unless the statements give different conditions, times or instances of a common noun. */
function mayShareSubject(a: Statement, b: Statement): boolean {
  const areUnder = haveOwnStems(a.conditions, a, b.conditions, b);
  if (areUnder || figuresDiffer(a.figures.dates, b.figures.dates)) return false;
  const shared = new Set([...a.matter].filter((stem) => b.matter.has(stem)));
  const [own, others] = [a, b].map((one) =>
    distinguishingStems(one.text, figureOffset(one), { shared, matter: one.matter }),
  );
  return own?.length === 0 || others?.length === 0;
}

function figureOffset({ text, measured, figures: { results, circumstances } }: Statement): number {
  return measured?.start ?? [...results, ...circumstances][0]?.start ?? text.length;
}

function compareWords(
  a: Statement,
  b: Statement,
  closeness: number,
  weightOf: WeightOf,
  answerOne: boolean,
): Comparison | null {
  if (areSubstituted(a, b) || haveOtherConditions(a, b)) return null;
  const areAnswers = answerOne && closeness >= MIN_NEGATION_CLOSENESS && !a.isNameless && !b.isNameless;
  if (
    !areAnswers &&
    !haveSimilarTitles(a, b, weightOf) &&
    (a.isNameless || b.isNameless || !haveNamedSubject(a, b, [a, b]))
  )
    return null;
  const [datesOfA, datesOfB] = statementUnmatched(a.figures.dates, b.figures.dates);
  const datesDiffer = datesOfA.length > 0 && datesOfB.length > 0;
  const [resultsOfA, resultsOfB] = statementUnmatched(a.figures.results, b.figures.results);
  const resultsDiffer = figuresDiffer(resultsOfA, resultsOfB) && !areWithinErrors(a, b);
  if (haveContraries(a, b))
    return closeness >= MIN_NEGATION_CLOSENESS && hasSameFigures(a, b)
      ? verdictClash(a, b, 'condition')
      : null;
  if (areOppositeEffects(a, b, closeness)) return datesDiffer ? null : verdictClash(a, b, 'direction');
  if (datesDiffer && resultsDiffer) return null;
  if (datesDiffer) return figureClashOf(datesOfA, datesOfB);
  if (resultsDiffer) return figureClashOf(resultsOfA, resultsOfB);
  return a.negations === b.negations &&
    unmatchedEffects(a.effects, b.effects).every((effects) => effects.length === 0)
    ? { relation: 'agree' }
    : null;
}

function areWithinErrors({ measured: one }: Statement, { measured: other }: Statement): boolean {
  return one !== null && other !== null && haveConvertibleUnits(one, other) && !areValuesApart(one, other);
}

/** Free wordings: one reports an effect on the same thing, the other denies it or reports the opposite. */
function compareFreely(a: Statement, b: Statement, weightOf: WeightOf): Comparison | null {
  if (figuresDiffer(a.figures.dates, b.figures.dates)) return null;
  const haveOneSubject = haveSimilarTitles(a, b, weightOf);
  let agree = false;
  for (const one of a.parts) {
    for (const other of b.parts) {
      if (one.verdict === null || other.verdict === null || !shareSubject(one, other, weightOf)) continue;
      if (!haveOneSubject && (one.isNameless || other.isNameless)) continue;
      if (!haveNamedSubject(a, b, [one, other])) continue;
      if (areOpposed(one.verdict, other.verdict))
        return { relation: 'clash', kind: 'direction', verdicts: [one.verdict, other.verdict] };
      agree ||= one.verdict === other.verdict && sameEffects(one, other);
    }
  }
  return agree && a.negations === b.negations && !figuresDiffer(a.figures.results, b.figures.results)
    ? { relation: 'agree' }
    : null;
}

function closenessOf(a: ReadonlySet<string>, b: ReadonlySet<string>, weightOf: WeightOf): number {
  const shared = totalWeight(a, weightOf, (stem) => b.has(stem));
  const all = totalWeight(a, weightOf) + totalWeight(b, weightOf) - shared;
  return all === 0 ? 0 : shared / all;
}

function shareSubject(one: StatementPart, other: StatementPart, weightOf: WeightOf): boolean {
  const shared = [...one.matter].filter((stem) => other.matter.has(stem));
  if (shared.length < MIN_SHARED_STEMS || one.isOfComparator !== other.isOfComparator) return false;
  const weight = totalWeight(new Set(shared), weightOf);
  const least = Math.min(totalWeight(one.matter, weightOf), totalWeight(other.matter, weightOf));
  return (
    weight >= MIN_SHARED_WEIGHT && weight >= MIN_CONTAINED_SHARE * least && !haveOtherConditions(one, other)
  );
}

function totalWeight(
  stems: ReadonlySet<string>,
  weightOf: WeightOf,
  counts = (_stem: string): boolean => true,
): number {
  let sum = 0;
  for (const stem of stems) if (counts(stem)) sum += weightOf(stem);
  return sum;
}

function haveOtherConditions(one: StatementPart, other: StatementPart): boolean {
  return (
    haveOwnStems(one.circumstances, one, other.circumstances, other) ||
    haveOwnStems(one.comparedWith, one, other.comparedWith, other)
  );
}

/** True if each of two sets has a stem that the other statement does not mention. */
export function haveOwnStems(
  stems: ReadonlySet<string>,
  told: StatementPart,
  others: ReadonlySet<string>,
  other: StatementPart,
): boolean {
  const isOwn = (own: ReadonlySet<string>, beside: ReadonlySet<string>, { matter }: StatementPart): boolean =>
    [...own].some((stem) => !matter.has(stem) && !beside.has(stem));
  return isOwn(stems, others, other) && isOwn(others, stems, told);
}

function areSubstituted(a: StatementPart, b: StatementPart): boolean {
  return stemsMissingFrom(a.matter, b.matter).length > 0 && stemsMissingFrom(b.matter, a.matter).length > 0;
}

function stemsMissingFrom(stems: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...stems].filter((stem) => !others.has(stem));
}

function haveSimilarTitles(a: Statement, b: Statement, weightOf: WeightOf): boolean {
  const least = Math.min(totalWeight(a.title, weightOf), totalWeight(b.title, weightOf));
  return totalWeight(a.title, weightOf, (stem) => b.title.has(stem)) >= MIN_TITLE_OVERLAP * least;
}

/** True if both parts name something of both titles: an outcome alone is measured for many subjects. */
function haveNamedSubject(a: Statement, b: Statement, parts: readonly StatementPart[]): boolean {
  const isUntitled = a.title.size === 0 || b.title.size === 0;
  const isNamed = (stem: string): boolean =>
    b.title.has(stem) && parts.every(({ matter }) => matter.has(stem));
  return isUntitled || [...a.title].some(isNamed);
}

/** True for conditions that exclude each other: `depending on age`, `regardless of age`. */
function haveContraries(a: Statement, b: Statement): boolean {
  const [one, other] = [
    stemsMissingFrom(a.exceptions, b.exceptions),
    stemsMissingFrom(b.exceptions, a.exceptions),
  ];
  if (one.length > 0 && other.length > 0) return true;
  return a.contraries.some((counts, at) => {
    const [first = 0, second = 0] = counts.map((count, side) => count - (b.contraries[at]?.[side] ?? 0));
    return first * second < 0;
  });
}

function areOppositeEffects(a: Statement, b: Statement, closeness: number): boolean {
  const negations = Math.abs(a.negations - b.negations);
  const [left, right] = unmatchedEffects(a.effects, b.effects);
  if (left.length === 1 && right.length === 1 && negations <= 1)
    return areOpposed(left[0] ?? 'some', right[0] ?? 'some');
  if (left.length + right.length <= 1 && a.verdict !== null && b.verdict !== null && negations <= 1)
    if (areOpposed(a.verdict, b.verdict)) return true;
  const isDenied = left.length + right.length === 0 && negations === 1;
  return isDenied && closeness >= MIN_NEGATION_CLOSENESS && hasSameFigures(a, b);
}

function hasSameFigures(a: Statement, b: Statement): boolean {
  const all = ({ figures }: Statement): Figure[] => [
    ...figures.results,
    ...figures.circumstances,
    ...figures.dates,
  ];
  return statementUnmatched(all(a), all(b)).every((figures) => figures.length === 0);
}

function verdictClash(a: Statement, b: Statement, kind: 'direction' | 'condition'): Comparison {
  return { relation: 'clash', kind, verdicts: [a.verdict, b.verdict] };
}

function figureClashOf(figures: readonly Figure[], others: readonly Figure[]): Comparison | null {
  const [one, other] = [figures[0], others[0]];
  return one === undefined || other === undefined || figures.length > 1 || others.length > 1
    ? null
    : { relation: 'clash', kind: 'number', figures: [one.said, other.said] };
}

function sameEffects(one: StatementPart, other: StatementPart): boolean {
  return unmatchedEffects(one.effects, other.effects).every((effects) => effects.length === 0);
}

function unmatchedEffects(one: readonly Effect[], other: readonly Effect[]): [Effect[], Effect[]] {
  const without = (effects: readonly Effect[], others: readonly Effect[]): Effect[] => {
    const known = [...others];
    return effects.filter((effect) => {
      const at = known.indexOf(effect);
      if (at >= 0) known.splice(at, 1);
      return at < 0;
    });
  };
  return [without(one, other), without(other, one)];
}

/**
 * Words that distinguish the figure's subject from the other text's: next to the last shared words before the figure,
 * or after their “of”: `northern` crater, bond energy of `hydrogen`. Empty if there are none.
 */
function distinguishingStems(
  text: string,
  figure: number,
  { shared, matter }: { shared: ReadonlySet<string>; matter: ReadonlySet<string> },
): string[] {
  const words = placedWords(text);
  const last = words.findLastIndex(({ stem, start }) => start < figure && shared.has(stem));
  if (last < 0) return [];
  let first = last;
  while (shared.has(words[first - 1]?.stem ?? '')) first -= 1;
  const behind = words[last + 1]?.word === 'of' ? [words[last + 2]] : [];
  return [words[first - 1], ...behind].flatMap((word) =>
    word !== undefined && matter.has(word.stem) && !shared.has(word.stem) ? [word.stem] : [],
  );
}

/** The words right before a figure that name its quantity, without function words: `neutron lifetime of 878 s`. */
function quantityStems(text: string, figure: number, matter: ReadonlySet<string>): string[] {
  const words = placedWords(text.slice(0, figure));
  const before = words.slice(0, 1 + words.findLastIndex(({ word }) => !STOP_WORDS.has(word)));
  const from = before.findLastIndex(({ stem }) => !matter.has(stem));
  return before.slice(from + 1).map(({ stem }) => stem);
}

const MEASUREMENT_STEMS = new Set(
  'about amount approximately around currently estimated expected forecast nearly projected reached reported size some stood totalled valued worth'
    .split(' ')
    .map(stemOf),
);
const CLAUSE = /[;:]\s|,\s|\s(?:and|but|while|whereas)\s/;
const MONTHS = new RegExp(`\\b(?:${MONTH})\\b`, 'gi');
const ORDINALS =
  /\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th)|q[1-4])\b/gi;
const MIN_CLAUSE_OVERLAP = 3;
const MAX_EXTRA_SHARE = 1 / 3;

interface Clause {
  words: ReadonlySet<string>;
  amounts: TextNumber[];
  dates: TextNumber[];
  months: string[];
  text: string;
}

/**
 * The single figure in which two near-identical statements differ, as written. Null if subjects or times differ, or
 * several figures.
 */
export function figureClash(one: string, other: string): readonly [string, string] | null {
  if (/[?？]\s*$/.test(one) || /[?？]\s*$/.test(other) || haveDifferentOrdinals(one, other)) return null;
  const others = clausesOf(other);
  for (const a of clausesOf(one)) {
    for (const b of others) {
      const clash = areNearlyAlike(a.words, b.words) ? differingFigure(a, b) : null;
      if (clash !== null) return clash;
    }
  }
  return null;
}

function haveDifferentOrdinals(one: string, other: string): boolean {
  return bothHaveOwn(one.toLowerCase().match(ORDINALS) ?? [], other.toLowerCase().match(ORDINALS) ?? []);
}

function bothHaveOwn(one: readonly string[], other: readonly string[]): boolean {
  return one.some((item) => !other.includes(item)) && other.some((item) => !one.includes(item));
}

function clausesOf(text: string): Clause[] {
  return text.split(CLAUSE).map((clause): Clause => {
    const numbers = numbersIn(clause);
    const words = placedWords(clause).filter(
      ({ word, stem, start }) =>
        !STOP_WORDS.has(word) &&
        !MEASUREMENT_STEMS.has(stem) &&
        !numbers.some((number) => start >= number.start && start < number.endOfUnit),
    );
    const months = (clause.match(MONTHS) ?? []).map((month) => month.toLowerCase());
    return {
      words: new Set(words.filter(({ word }) => !months.includes(word)).map(({ stem }) => stem)),
      amounts: numbers.filter(({ isDate }) => !isDate),
      dates: numbers.filter(({ isDate }) => isDate),
      months,
      text: clause,
    };
  });
}

function areNearlyAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = [...one].filter((stem) => other.has(stem)).length;
  const [own, others] = [one.size - shared, other.size - shared];
  return (
    shared >= MIN_CLAUSE_OVERLAP &&
    Math.min(own, others) === 0 &&
    Math.max(own, others) <= MAX_EXTRA_SHARE * shared
  );
}

function differingFigure(a: Clause, b: Clause): readonly [string, string] | null {
  const said = (clause: Clause, { start, endOfUnit }: TextNumber): string =>
    clause.text.slice(start, endOfUnit).trim();
  const [own, others] = [unmatched(a.amounts, b.amounts), unmatched(b.amounts, a.amounts)];
  const [dates, otherDates] = [unmatched(a.dates, b.dates), unmatched(b.dates, a.dates)];
  const haveOneTime = dates.length === 0 && otherDates.length === 0 && !bothHaveOwn(a.months, b.months);
  const [first, ...more] = own.length + others.length > 0 ? own : dates;
  const [second, ...further] = own.length + others.length > 0 ? others : otherDates;
  if (first === undefined || second === undefined) return null;
  // A date may differ in several numbers.
  if (!first.isDate && more.length + further.length > 0) return null;
  if (!first.isDate && (!haveOneTime || unitRatio(first.unit, second.unit) === null)) return null;
  return [said(a, first), said(b, second)];
}

function unmatched(numbers: readonly TextNumber[], others: readonly TextNumber[]): TextNumber[] {
  return numbers.filter((number) => !others.some((other) => sameNumber(number, other)));
}
