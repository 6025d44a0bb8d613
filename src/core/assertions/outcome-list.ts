import type { Concept } from './assertion';
import { outcomeConcept } from './concepts';

const LIST_JOINT = /\s*(?:,|;|\/(?=\s)|\band\b|\bor\b|\bas well as\b|\bnor\b|\bplus\b)\s*/i;
const QUALIFIER =
  /^(?:[\p{L}-]*(?:olic|tal|nal|ral|ial|ical|ive|ing|ting|ised|ized|atic|obic)|upper|lower|left|right|free|fasting)$/iu;

/** The items of a list, each a concept; `systolic and diastolic pressure` are both pressures. */
export function outcomesIn(text: string): Concept[] {
  const items = text
    .split(LIST_JOINT)
    .map((item) => item.trim())
    .filter((item) => item !== '');
  const concepts = items.map((item, index) => {
    const next = items[index + 1];
    if (next !== undefined && QUALIFIER.test(item) && next.includes(' '))
      return outcomeConcept(`${item} ${next.slice(next.indexOf(' ') + 1)}`);
    return outcomeConcept(item);
  });
  return concepts.filter((concept) => concept.terms.length > 0 && concept.terms.length <= 9);
}
