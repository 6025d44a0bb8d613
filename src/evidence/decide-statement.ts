import type { AuditedStatement, TextStatement } from '../contracts/draft';
import type {
  ClaimVerdict,
  CriticisedClaim,
  Critique,
  SetAsideClaim,
  Verdict,
  VerdictCounts,
} from '../contracts/finding';
import { replaceMarks } from '../lib/citation-marks';

export interface LexicalFindings {
  /** Lexical verdict; null for a statement without citations. */
  verdict: ClaimVerdict | null;
  absentNumbers: readonly string[];
  /** Cited texts and the question: possible operands of a calculation. */
  texts: readonly string[];
}

const CONFIRMED = {
  supported: 'A critic confirmed the claim with a quote of what it cites.',
  inference: 'No source says it; it follows from what is cited.',
};
const NOT_CALCULATED = 'a critic took it to follow from the quote.';
const REJECTED = {
  overstated: 'A critic found only a part of it in what it cites.',
  contradicted: 'A critic found that what it cites says otherwise.',
  unsupported: 'A critic found that nothing it cites says this.',
};

/**
 * The critic decides the verdict. A confirmation needs a located quote or a lexical confirmation, else the statement
 * is `unchecked`. With a number that occurs nowhere it is an inference with the code `number-absent`, unless its
 * calculation is right. A refusal of verbatim text needs a quote.
 */
export function decideStatement(
  { sourceIds }: Pick<TextStatement, 'sourceIds'>,
  said: AuditedStatement | undefined,
  byWords: LexicalFindings,
): Pick<TextStatement, 'verdict' | 'severity' | 'fault'> {
  const isSaidByWords = byWords.verdict?.verdict === 'supported' && byWords.absentNumbers.length === 0;
  if (said === undefined) {
    if (sourceIds.length === 0) return { verdict: null };
    return { verdict: isSaidByWords ? byWords.verdict : unchecked(byWords) };
  }
  const { verdict, severity, quotes, without, calculation, reason } = said;
  const [evidence = null] = quotes;
  const probability = byWords.verdict?.probability ?? null;
  if (verdict === 'supported' || verdict === 'inference') {
    // A sentence without citations claims no number of a source.
    const isReckoned =
      sourceIds.length === 0 ||
      byWords.absentNumbers.length === 0 ||
      isRightCalculation(calculation, { numbers: byWords.absentNumbers, texts: byWords.texts });
    if (evidence === null && sourceIds.length > 0 && said.namesSource !== true)
      return { verdict: isSaidByWords ? byWords.verdict : unchecked(byWords) };
    const stands: Pick<ClaimVerdict, 'verdict' | 'code' | 'reason'> = isReckoned
      ? { verdict, code: 'critic', reason: CONFIRMED[verdict] }
      : { verdict: 'inference', code: 'number-absent', reason: `${absence(byWords)}; ${NOT_CALCULATED}` };
    const notBorneBy = without === undefined ? {} : { notBorneBy: without };
    return { verdict: { ...stands, evidence, quotes, ...notBorneBy, probability } };
  }
  if (isSaidByWords && byWords.verdict?.code === 'same-words' && evidence === null)
    return { verdict: byWords.verdict };
  const refused: ClaimVerdict = {
    verdict: verdict === 'overstated' ? 'partial' : verdict,
    code: 'critic',
    reason: reason === '' ? REJECTED[verdict] : replaceMarks(reason, () => 'the source'),
    evidence,
    quotes,
    probability,
  };
  return { verdict: refused, severity, ...(reason === '' ? {} : { fault: reason }) };
}

function absence({ absentNumbers }: LexicalFindings): string {
  return `“${absentNumbers[0] ?? ''}” stands nowhere in what it cites`;
}

function unchecked(byWords: LexicalFindings): ClaimVerdict {
  const { verdict, absentNumbers } = byWords;
  const isOpen = absentNumbers.length === 0;
  const reason = isOpen
    ? 'Words alone cannot tell, and no critic confirmed it with a quote.'
    : `${absence(byWords)}.`;
  const code = isOpen ? 'open' : 'number-absent';
  return {
    verdict: 'unchecked',
    code,
    reason,
    evidence: verdict?.evidence ?? null,
    probability: verdict?.probability ?? null,
  };
}

/** Constants that need no source: halves, percent, months, days, hours. */
const CONSTANTS = new Set([1, 2, 7, 10, 12, 24, 52, 60, 100, 365, 1_000, 1_000_000]);

/** Exponents need no source, such as years of growth. */
const EXPONENT = /(?:\^|\*\*)\s*\d{1,2}(?![\d.])/g;
const NUMBER = /\d[\d,]*(?:\.\d+)?/g;
const SCALES: Record<string, number> = { thousand: 1e3, million: 1e6, billion: 1e9 };

/**
 * True for a calculation such as `250000 * 0.0114 = 2850` that is right, has its operands in `texts`, and gives each
 * of `numbers`, rounded as written. `;` separates calculations, and later ones may use earlier results.
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
    const result = evaluateExpression(expression);
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

/** 0.27 for the factor 1.27 (27 % growth). */
function growth(factor: number): number {
  return Number((factor - 1).toFixed(6));
}

interface WrittenValue {
  value: number;
  unscaled: number;
  /** Value of the last significant digit: 1,000 for `5,000`, 0.1 for `2.5`. */
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

/** Maximum relative rounding of trailing zeros: `1,000` may be 954, not 1,400. */
const MAX_ROUNDING = 0.1;

function isRounded(result: number, { value, place, isPercent }: WrittenValue): boolean {
  const size = Math.abs(result);
  return [size, ...(isPercent || size <= 1 ? [size * 100] : [])].some((one) => {
    const most = place > 1 ? Math.min(place / 2, MAX_ROUNDING * one) : place / 2;
    return Math.abs(one - value) <= most + 1e-9;
  });
}

/** Evaluates sums, products, powers, `log10(…)` and brackets; null for anything else. `20%` is 0.2. */
function evaluateExpression(expression: string): number | null {
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

export function countVerdicts(claims: readonly { verdict: Verdict }[]): VerdictCounts {
  const counts = {
    claims: claims.length,
    supported: 0,
    inference: 0,
    partial: 0,
    contradicted: 0,
    unsupported: 0,
    unchecked: 0,
  };
  for (const { verdict } of claims) counts[verdict] += 1;
  return counts;
}

export function createCritique(
  setAside: readonly SetAsideClaim[],
  { logicalGaps, uncited }: { logicalGaps: string[]; uncited: readonly string[] },
): Critique {
  const wrong = setAside.map(({ action: _action, ...claim }): CriticisedClaim => claim);
  const conflictingEvidence = wrong.filter(({ verdict }) => verdict === 'contradicted');
  const unsupportedClaims = wrong.filter(({ verdict }) => verdict === 'unsupported' || verdict === 'partial');
  const isInvented = unsupportedClaims.some(({ verdict }) => verdict === 'unsupported');
  return {
    // Undecided claims are not the writer's fault, and missing citations were already requested during writing.
    needsRetry: conflictingEvidence.length + unsupportedClaims.length > 0,
    hallucinationDetected: isInvented || conflictingEvidence.length > 0,
    unsupportedClaims,
    logicalGaps,
    conflictingEvidence,
    missingCitations: [...new Set(uncited)],
  };
}

export function isSupported({ verdict }: { verdict: Verdict }): boolean {
  return verdict === 'supported' || verdict === 'inference';
}
