import { powerOfTenAfter } from '../../language/spelled-numbers';
import { unitNamed, unitRatio } from '../../language/units';
import { STOP_WORDS } from '../../language/words';
import data from './data/statement-words.json';

/** A value with how far it may be off, as a text states both: `67.4 ± 0.5 km/s/Mpc`, `73.3 s, with an uncertainty of 2 %`. */
export interface MeasuredValue {
  value: number;
  /** One standard error, all that are stated of the value taken together. */
  error: number;
  /** As it is written: `km/s/Mpc`, `million years`; empty where none is told. */
  unit: string;
  said: string;
  start: number;
  end: number;
  /** Whether it is of a sample: what is told beside it is how far its members spread, and another sample has another value. */
  isOfSample: boolean;
}

/** So many standard errors apart, two values of one thing cannot both be right; physics calls three of them evidence. */
const APART = 3;
const NUMBER = String.raw`\d[\d,]*(?:\.\d+)?`;
const VALUE = new RegExp(String.raw`(?<![\p{L}\d.,±])(${NUMBER})(?:\s?(?:±|\+/[-−–])\s?(${NUMBER}))?`, 'gu');
const UNIT = /^\s?(%|[\p{L}°][\p{L}\d°²³⁻¹·/^]*)/u;
/** Without one of these no error is stated; most sentences end here. */
const STATES_ERROR = /±|\+\/[-−–]|uncertaint/i;
const ERROR = new RegExp(String.raw`\buncertaint(?:y|ies) of (?:about |some )?(${NUMBER})\s?(%)?`, 'gi');
/** More of them are a table. */
const MOST_VALUES = 3;
const ofSamples = new RegExp(`\\b(?:${data.ofSamples.join('|')})\\b`, 'i');
const reportingOthers = new RegExp(`\\b(?:${data.reportingOthers.join('|')})\\b`, 'i');

/**
 * The value that a statement gives as measured, the most exact one where it gives several that agree. Null where it gives none
 * with its error, several that do not agree, or one that it only compares with.
 */
export function measuredValue(text: string): MeasuredValue | null {
  if (!STATES_ERROR.test(text) || reportingOthers.test(text)) return null;
  const values = valuesIn(text);
  const [best] = values.filter(({ error }) => error > 0).sort((a, b) => a.error - b.error);
  if (best === undefined || values.filter(({ error }) => error > 0).length > MOST_VALUES) return null;
  const others = values.filter(({ unit }) => unit === best.unit);
  return others.every((other) => other.error > 0 && !areApart(best, other)) ? best : null;
}

export function areOfOneUnit({ unit }: MeasuredValue, { unit: other }: MeasuredValue): boolean {
  return unit === other || ratioOf(unit, other) !== null;
}

/** Whether the two cannot be one: they are told in one unit, and farther from each other than their errors allow. */
export function areApart(one: MeasuredValue, other: MeasuredValue): boolean {
  const ratio = one.unit === other.unit ? 1 : ratioOf(one.unit, other.unit);
  if (ratio === null) return false;
  return Math.abs(one.value * ratio - other.value) > APART * Math.hypot(one.error * ratio, other.error);
}

function ratioOf(unit: string, other: string): number | null {
  const [one, two] = [unitNamed(unit), unitNamed(other)];
  return one === null || two === null ? null : unitRatio(one.name, two.name);
}

function valuesIn(text: string): MeasuredValue[] {
  const isOfSample = ofSamples.test(text);
  const errors = [...text.matchAll(ERROR)].map(({ 0: whole, 1: error = '', 2: share, index }) => ({
    error: numberOf(error),
    isShare: share !== undefined,
    start: index,
    end: index + whole.length,
  }));
  const values = [...text.matchAll(VALUE)].flatMap(({ 0: whole, 1: digits = '', 2: error, index }) => {
    const after = index + whole.length;
    const { unit, length } = unitAfter(text.slice(after));
    const end = after + length;
    const isError = errors.some(({ start, end: endOfError }) => index >= start && index < endOfError);
    if (isError || (unit === '' && error === undefined)) return [];
    const said = text.slice(index, end);
    const value = { value: numberOf(digits), error: numberOf(error ?? '0'), unit };
    return [{ ...value, said, start: index, end, isOfSample }];
  });
  // A further error is one of the value before it.
  for (const { error, isShare, start } of errors) {
    const measured = values.findLast((value) => value.start < start && isMeasure(value.unit));
    if (measured === undefined) continue;
    measured.error = Math.hypot(measured.error, isShare ? (measured.value * error) / 100 : error);
  }
  return values;
}

function isMeasure(unit: string): boolean {
  return unit.includes('/') || unitNamed(unit) !== null;
}

function unitAfter(text: string): { unit: string; length: number } {
  const power = powerOfTenAfter(text)?.length ?? 0;
  const [whole = '', unit = ''] = UNIT.exec(text.slice(power)) ?? [];
  if (unitNamed(unit) === null && STOP_WORDS.has(unit.toLowerCase())) return { unit: '', length: 0 };
  return { unit: `${text.slice(0, power).trim()} ${unit}`.trim(), length: power + whole.length };
}

function numberOf(digits: string): number {
  return Number(digits.replace(/,/g, ''));
}
