/** Numbers that stand for units and shares and need no source: halves, percent, months, days, hours. */
const CONSTANTS = new Set([1, 2, 7, 10, 12, 24, 52, 60, 100, 365, 1_000, 1_000_000]);

const NUMBER = /\d[\d,]*(?:\.\d+)?/g;
const SCALES: Record<string, number> = { thousand: 1e3, million: 1e6, billion: 1e9 };

/**
 * True if a calculation such as `250000 * 0.0114 = 2850` is right, each operand stands in `texts`, and the result stands in the
 * statement, rounded as it is written there.
 */
export function isRightCalculation(
  calculation: string,
  { statement, texts }: { statement: string; texts: readonly string[] },
): boolean {
  const [expression = '', ...stated] = calculation.split('=');
  const result = evaluated(expression);
  if (result === null) return false;
  if (stated.length > 0 && !valuesIn(stated.join(' ')).some((value) => isRounded(result, value)))
    return false;
  const held = new Set(texts.flatMap(valuesIn).map(({ value }) => digitsOf(value)));
  const operands = valuesIn(expression).map(({ value }) => value);
  return (
    operands.length > 1 &&
    operands.every((operand) => CONSTANTS.has(operand) || held.has(digitsOf(operand))) &&
    valuesIn(statement).some((value) => isRounded(result, value))
  );
}

interface WrittenValue {
  value: number;
  /** The worth of the last digit that counts: 1,000 for `5,000`, 0.1 for `2.5`. */
  place: number;
}

function valuesIn(text: string): WrittenValue[] {
  return [...text.matchAll(NUMBER)].map((match) => {
    const digits = match[0].replaceAll(',', '');
    const word = /^\s*(thousand|million|billion)/i.exec(text.slice(match.index + match[0].length))?.[1];
    const scale = SCALES[word?.toLowerCase() ?? ''] ?? 1;
    const decimals = digits.split('.')[1]?.length ?? 0;
    const zeros = decimals > 0 ? 0 : (/0*$/.exec(digits)?.[0].length ?? 0);
    return { value: Number(digits) * scale, place: 10 ** (zeros - decimals) * scale };
  });
}

/** The digits that count: 7.5 million and 7,500,000 have the same in any unit. */
function digitsOf(value: number): string {
  return `${value}`.replace('.', '').replace(/^0+|0+$/g, '');
}

/** In any decimal unit: thousands, percent, milligrams. */
function isRounded(result: number, { value, place }: WrittenValue): boolean {
  if (result === 0 || value === 0) return result === value;
  const scale = 10 ** Math.round(Math.log10(Math.abs(value / result)));
  return Math.abs(result * scale - value) <= place / 2 + 1e-9;
}

/** The value of sums, products and brackets; null for anything else. `20%` is 0.2. */
function evaluated(expression: string): number | null {
  const tokens =
    expression
      .replaceAll('×', '*')
      .replaceAll('÷', '/')
      .replaceAll('−', '-')
      .match(/\d[\d,]*(?:\.\d+)?|[-+*/()%]|\S/g) ?? [];
  let at = 0;
  const peek = (): string => tokens[at] ?? '';
  const factor = (): number => {
    const token = peek();
    at += 1;
    if (token === '-') return -factor();
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
  const product = (): number => {
    let value = factor();
    while (peek() === '*' || peek() === '/') {
      const sign = peek();
      at += 1;
      const other = factor();
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
