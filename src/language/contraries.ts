import data from './data/contraries.json';
import { effectOf, senseOf } from './direction';
import { stemOf } from './words';

const contraries = new Map<string, Set<string>>();
for (const pair of data.pairs) {
  const [one = '', other = ''] = pair.map(stemOf);
  contraries.set(one, (contraries.get(one) ?? new Set()).add(other));
  contraries.set(other, (contraries.get(other) ?? new Set()).add(one));
}

/** Whether two words exclude each other where one stands in the other's place: increased and reduced, before and after. */
export function areContrary(one: string, other: string): boolean {
  if (one === other) return false;
  if (contraries.get(one)?.has(other) === true) return true;
  const [sense, otherSense] = [senseOf({ stem: one }), senseOf({ stem: other })];
  if (sense !== null && otherSense !== null) return sense !== otherSense;
  const [effect, otherEffect] = [effectOf(one), effectOf(other)];
  return effect !== null && otherEffect !== null && effect !== otherEffect;
}
