import data from './data/units.json';

interface Unit {
  /** The name under which all spellings are told. */
  name: string;
  kind: string;
  /** How much of the kind's first unit it is. */
  size: number;
}

/** What stands after a number: a sign, or letters that may be a unit. */
const AFTER =
  /^([\s\u00a0\u2009\u202f]?-?)(%|‰|°C|°|×(?!\s?\d)|\$|€|£|per ?cent\b|[\p{L}]+[²\d]?(?![\p{L}\d]))/u;
const BY = /^(?:\/|[\s\u00a0]per\s|\sa\s)([\p{L}]+[²2]?)(?![\p{L}\d])/u;
/** Short symbols mean something else in capitals. */
const SHORTEST_WORD = 3;

const units = new Map<string, Unit>();
for (const [kind, sizes] of Object.entries<Record<string, number>>(data.kinds)) {
  const names = new Map<number, string>();
  for (const [spelling, size] of Object.entries(sizes)) {
    const name = names.get(size) ?? spelling;
    names.set(size, name);
    units.set(spelling, { name, kind, size });
  }
}

export function unitNamed(spelling: string): Unit | null {
  const plain = spelling.replace(/^(?:μ|u(?=g$|l$|m$|mol$))/, 'µ');
  const exact = units.get(plain);
  if (exact !== undefined || plain.length < SHORTEST_WORD) return exact ?? null;
  const word = plain.toLowerCase();
  return units.get(word) ?? units.get(word.replace(/s$/, '')) ?? null;
}

/** The unit at the beginning of what follows a number, and how far it goes; `mg/d` where it is per another one. */
export function unitAfter(text: string): { unit: string; length: number; isGlued: boolean } | null {
  const match = AFTER.exec(text);
  if (match === null) return null;
  const [whole, gap = '', spelling = ''] = match;
  const unit = unitNamed(spelling.replace(/^per ?cent$/, 'percent'));
  if (unit === null) return null;
  const divisor = BY.exec(text.slice(whole.length));
  const by = divisor === null ? null : unitNamed(divisor[1] ?? '');
  return by === null || divisor === null
    ? { unit: unit.name, length: whole.length, isGlued: gap === '' }
    : { unit: `${unit.name}/${by.name}`, length: whole.length + divisor[0].length, isGlued: gap === '' };
}

/**
 * How much of the second unit the first one is: 1,000 for kg and g, 1 where one of them is not told, null where they
 * measure different things.
 */
export function unitRatio(one: string, other: string): number | null {
  if (one === other || one === '' || other === '') return 1;
  const [[top = '', below], [otherTop = '', otherBelow]] = [one.split('/'), other.split('/')];
  const ratio = plainRatio(top, otherTop);
  if (ratio === null || below === undefined || otherBelow === undefined) return ratio;
  const ratioBelow = plainRatio(below, otherBelow);
  return ratioBelow === null ? null : ratio / ratioBelow;
}

function plainRatio(one: string, other: string): number | null {
  const [left, right] = [units.get(one), units.get(other)];
  return left !== undefined && left.kind === right?.kind ? left.size / right.size : null;
}
