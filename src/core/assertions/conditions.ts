import type { AssertionContext, Conditions } from './assertion';
import { conditionIn, mergePeople, peopleDiffer, populationIn } from './people';
import { plainText } from './plain-text';
import { quantitiesIn, type Quantity } from './quantities';

/** Who, how much and how long, as far as the sentence tells, or else its title and what is known of the study. */
export function conditionsOf(
  sentence: string,
  quantities: readonly Quantity[],
  context: Required<Pick<AssertionContext, 'title' | 'participants' | 'duration'>>,
): Conditions {
  const title = plainText(context.title);
  const own = populationIn(sentence);
  const ofStudy =
    populationIn(title) ?? conditionIn(title) ?? populationIn(`in ${plainText(context.participants)}`);
  const titleQuantities = quantitiesIn(title);
  const durations = ofRole(quantities, 'duration');
  const doses = ofRole(quantities, 'dose');
  const known = ofRole(titleQuantities, 'duration');
  return {
    population: mergePeople(own, ofStudy),
    ownPeople: own,
    studyPeople: ofStudy,
    doses: doses.length > 0 ? doses : ofRole(titleQuantities, 'dose'),
    durations:
      durations.length > 0
        ? durations
        : known.length > 0
          ? known
          : ofRole(quantitiesIn(plainText(context.duration)), 'duration'),
  };
}

function ofRole(quantities: readonly Quantity[], role: 'dose' | 'duration'): Quantity[] {
  return quantities.filter((quantity) => quantity.role === role);
}

/** In what two conditions clearly differ, in plain words; null where nothing that both tell differs. */
export function clearDifference(a: Conditions, b: Conditions): string | null {
  // Words that two sentences share say nothing of the people whom their titles name, nor the other way round.
  const people =
    peopleDiffer(a.ownPeople, b.ownPeople) ??
    peopleDiffer(a.studyPeople, b.studyPeople) ??
    peopleDiffer(a.population, b.population);
  if (people !== null) return people;
  if (amountsDiffer(a.doses, b.doses, 1.2))
    return `the doses differ (${amounts(a.doses)} and ${amounts(b.doses)})`;
  if (amountsDiffer(a.durations, b.durations, 1.45))
    return `the durations differ (${amounts(a.durations)} and ${amounts(b.durations)})`;
  return null;
}

/** True where both tell amounts of the same kind, and none of one comes near one of the other. */
function amountsDiffer(a: readonly Quantity[], b: readonly Quantity[], ratio: number): boolean {
  const left = a.map(inBaseUnit);
  const right = b.map(inBaseUnit);
  const comparable = left.flatMap((one) =>
    right.filter((other) => other.unit === one.unit).map((other) => [one.value, other.value] as const),
  );
  return comparable.length > 0 && !comparable.some(([x, y]) => Math.max(x, y) <= Math.min(x, y) * ratio);
}

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30.4, year: 365 };

function inBaseUnit(quantity: Quantity): { value: number; unit: string } {
  const value = Math.abs(quantity.value);
  const days = DAYS[quantity.unit];
  if (days !== undefined) return { value: value * days, unit: 'day' };
  const head = quantity.unit.split('/')[0] ?? '';
  if (head === 'g') return { value: value * 1_000, unit: 'mg' };
  if (head === 'µg') return { value: value / 1_000, unit: 'mg' };
  return { value, unit: head };
}

function amounts(quantities: readonly Quantity[]): string {
  return quantities.map((quantity) => `${quantity.value} ${quantity.unit}`).join(', ');
}
