const RAISED = new Map(Array.from('0123456789+-−n', (sign, at) => [sign, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ'.charAt(at)]));
const EXPONENT = /^[-+−]?[\dn]+$/;
/** Of notes: `2,3`, `4–6`. */
const NUMBERS = /^\d+(?:[,–-]\s?\d+)*$/;

/** An exponent stays one: `10⁻³`, `m²`, and so do numbers of notes; other words that are raised stand on the line. */
export function raised(words: string): string {
  const signs = EXPONENT.test(words) ? /./g : NUMBERS.test(words) ? /\d/g : null;
  return signs === null ? words : words.replace(signs, (sign) => RAISED.get(sign) ?? sign);
}
