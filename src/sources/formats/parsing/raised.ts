const RAISED = new Map(Array.from('0123456789+-−n', (sign, at) => [sign, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ'.charAt(at)]));

/** An exponent stays one: `10⁻³`, `m²`; other words that are raised stand on the line. */
export function raised(words: string): string {
  const signs = Array.from(words);
  return signs.every((sign) => RAISED.has(sign)) ? signs.map((sign) => RAISED.get(sign)).join('') : words;
}
