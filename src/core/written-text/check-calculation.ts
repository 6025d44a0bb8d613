/** Numbers that stand for units and shares and need no source: halves, percent, months, days, hours. */
const CONSTANTS = new Set([1, 2, 7, 10, 12, 24, 52, 60, 100, 365, 1_000, 1_000_000]);

/** Years of growth, and other exponents, need no source. */
const EXPONENT = /(?:\^|\*\*)\s*\d{1,2}(?![\d.])/g;
const NUMBER = /\d[\d,]*(?:\.\d+)?/g;
const SCALES: Record<string, number> = { thousand: 1e3, million: 1e6, billion: 1e9 };

/**
 * True if a calculation such as `250000 * 0.0114 = 2850` is right, its operands stand in `texts`, and each of `numbers` is a result,
 * rounded as it is written. Several calculations are parted by `;`, and a later one may use the results of those before it.
 */
export function isRightCalculation(
  calculation: string,
  { numbers, texts }: { numbers: readonly string[]; texts: readonly string[] },
): boolean {
  const held = new Set(
    texts.flatMap(valuesIn).flatMap(({ value, unscaled }) => [value, unscaled, value / 100]),
  );
  const results: number[] = [];
  for (const equation of calculation.split(/[;\n]/).filter((one) => one.trim() !== '')) {
    const [expression = '', ...stated] = equation.split(/[=≈]/);
    const result = evaluated(expression);
    const written = valuesIn(stated.join(' '));
    if (result === null || (stated.length > 0 && !written.some((value) => isRounded(result, value))))
      return false;
    const operands = valuesIn(expression.replace(EXPONENT, '').replaceAll('log10', '')).map(
      ({ value }) => value,
    );
    const isKnown = operands.every((one) => CONSTANTS.has(one) || held.has(one) || held.has(growth(one)));
    if (operands.length < 2 || !isKnown || !operands.some((one) => held.has(one))) return false;
    for (const { value } of [...written, { value: result }]) held.add(value);
    results.push(result);
  }
  return numbers.every((number) =>
    results.some((result) => valuesIn(number).some((value) => isRounded(result, value))),
  );
}

/** 0.27 for the factor 1.27 of a growth of 27 %. */
function growth(factor: number): number {
  return Number((factor - 1).toFixed(6));
}

interface WrittenValue {
  value: number;
  /** 1.37 for `1.37 million`. */
  unscaled: number;
  /** The worth of the last digit that counts: 1,000 for `5,000`, 0.1 for `2.5`. */
  place: number;
  isPercent: boolean;
}

function valuesIn(text: string): WrittenValue[] {
  return [...text.matchAll(NUMBER)].map((match) => {
    const digits = match[0].replaceAll(',', '');
    const behind = text.slice(match.index + match[0].length);
    const word = /^\s*(thousand|million|billion)/i.exec(behind)?.[1];
    const scale = SCALES[word?.toLowerCase() ?? ''] ?? 1;
    const decimals = digits.split('.')[1]?.length ?? 0;
    const zeros = decimals > 0 ? 0 : (/0*$/.exec(digits)?.[0].length ?? 0);
    return {
      value: Number(digits) * scale,
      unscaled: Number(digits),
      place: 10 ** (zeros - decimals) * scale,
      isPercent: /^\s*(?:%|per ?cent)/i.test(behind),
    };
  });
}

/** `1,000` may stand for 954, and not for 1,400: zeros at the end are no licence to be a tenth off. */
const MOST_ROUNDED = 0.1;

function isRounded(result: number, { value, place, isPercent }: WrittenValue): boolean {
  const size = Math.abs(result);
  return [size, ...(isPercent || size <= 1 ? [size * 100] : [])].some((one) => {
    const most = place > 1 ? Math.min(place / 2, MOST_ROUNDED * one) : place / 2;
    return Math.abs(one - value) <= most + 1e-9;
  });
}

/** The value of sums, products, powers, `log10(…)` and brackets; null for anything else. `20%` is 0.2. */
function evaluated(expression: string): number | null {
  const tokens =
    expression
      .replaceAll('×', '*')
      .replaceAll('÷', '/')
      .replaceAll('−', '-')
      .replaceAll('**', '^')
      .match(/\d[\d,]*(?:\.\d+)?|log10|[-+*/^()%]|\S/g) ?? [];
  let at = 0;
  const peek = (): string => tokens[at] ?? '';
  const factor = (): number => {
    const token = peek();
    at += 1;
    if (token === '-') return -factor();
    if (token === 'log10') return Math.log10(factor());
    if (token === '(') {
      const value = sum();
      if (peek() !== ')') return NaN;
      at += 1;
      return value;
    }
    const value = /^\d/.test(token) ? Number(token.replaceAll(',', '')) : NaN;
    if (peek() !== '%') return value;
    at += 1;
    return value / 100;
  };
  const power = (): number => {
    const base = factor();
    if (peek() !== '^') return base;
    at += 1;
    return base ** power();
  };
  const product = (): number => {
    let value = power();
    while (peek() === '*' || peek() === '/') {
      const sign = peek();
      at += 1;
      const other = power();
      value = sign === '*' ? value * other : value / other;
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (peek() === '+' || peek() === '-') {
      const sign = peek();
      at += 1;
      const other = product();
      value = sign === '+' ? value + other : value - other;
    }
    return value;
  };
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? value : null;
}
