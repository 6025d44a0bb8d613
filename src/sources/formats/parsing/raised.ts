const RAISED = new Map([...'0123456789+-−n'].map((sign, at) => [sign, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ'][at] ?? sign]));

/** An exponent stays one: `10⁻³`, `m²`; other words that are raised stand on the line. */
export function raised(words: string): string {
  const signs = [...words];
  return signs.every((sign) => RAISED.has(sign)) ? signs.map((sign) => RAISED.get(sign)).join('') : words;
}
