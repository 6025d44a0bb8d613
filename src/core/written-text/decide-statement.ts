import type { AuditedStatement, TextStatement } from '../../contracts/report/written-text';
import type { ClaimVerdict } from '../../contracts/verification/claim-verdict';
import { replaceMarks } from '../text/citation-marks';
import { isRightCalculation } from './check-calculation';

export interface StatementByWords {
  /** What words find of it in what it cites; null for a statement that cites nothing. */
  verdict: ClaimVerdict | null;
  /** Its numbers that stand neither in what it cites nor in the question. */
  absentNumbers: readonly string[];
  /** Where the operands of a calculation may stand: what it cites, and the question. */
  texts: readonly string[];
}

const CONFIRMED = {
  supported: 'A critic confirmed the claim with a quote of what it cites.',
  inference: 'No source says it; it follows from what is cited.',
};
const UNRECKONED = 'a critic took it to follow from the quote.';
const REFUSED = {
  overstated: 'A critic found only a part of it in what it cites.',
  contradicted: 'A critic found that what it cites says otherwise.',
  unsupported: 'A critic found that nothing it cites says this.',
};

/**
 * The verdict on a statement: the critic decides. A confirmation counts with a quote that was located, or where words confirm it
 * themselves; otherwise the statement is `unchecked`. A number that stands nowhere makes a confirmed statement an inference with the
 * code `number-absent`, unless its calculation is right. A refusal of what the source says word for word needs a quote. Pure.
 */
export function decideStatement(
  { sourceIds }: Pick<TextStatement, 'sourceIds'>,
  said: AuditedStatement | undefined,
  byWords: StatementByWords,
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
    // A sentence that cites nothing claims no number of a source: it advises, assumes, or says what is missing.
    const isReckoned =
      sourceIds.length === 0 ||
      byWords.absentNumbers.length === 0 ||
      isRightCalculation(calculation, { numbers: byWords.absentNumbers, texts: byWords.texts });
    if (evidence === null && sourceIds.length > 0 && said.namesSource !== true)
      return { verdict: isSaidByWords ? byWords.verdict : unchecked(byWords) };
    const stands: Pick<ClaimVerdict, 'verdict' | 'code' | 'reason'> = isReckoned
      ? { verdict, code: 'critic', reason: CONFIRMED[verdict] }
      : { verdict: 'inference', code: 'number-absent', reason: `${absence(byWords)}; ${UNRECKONED}` };
    const notBorneBy = without === undefined ? {} : { notBorneBy: without };
    return { verdict: { ...stands, evidence, quotes, ...notBorneBy, probability } };
  }
  if (isSaidByWords && byWords.verdict?.code === 'same-words' && evidence === null)
    return { verdict: byWords.verdict };
  const refused: ClaimVerdict = {
    verdict: verdict === 'overstated' ? 'partial' : verdict,
    code: 'critic',
    reason: reason === '' ? REFUSED[verdict] : replaceMarks(reason, () => 'the source'),
    evidence,
    quotes,
    probability,
  };
  return { verdict: refused, severity, ...(reason === '' ? {} : { fault: reason }) };
}

function absence({ absentNumbers }: StatementByWords): string {
  return `“${absentNumbers[0] ?? ''}” stands nowhere in what it cites`;
}

function unchecked(byWords: StatementByWords): ClaimVerdict {
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
