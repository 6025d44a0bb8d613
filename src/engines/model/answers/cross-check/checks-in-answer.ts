import type { Conflict } from '../../../../contracts/report/finding';
import { corroboratedConfidence } from '../../../../core/evidence/corroborated-confidence';
import { needsChecking } from '../../../../core/evidence/needs-checking';
import type { CrossCheckInput, CrossCheckOutput, FindingCheck } from '../../../../steps/cross-check/contract';
import type { Echoes } from '../../grounding/echoes';
import type { Reading } from '../reading';
import { type CheckReading, openCheckReading } from './check-reading';
import { conflictsInAnswer } from './conflicts-in-answer';
import { gapsInAnswer } from './gaps-in-answer';
import { quotesOnFindings, type QuotesOnFindings } from './quotes-on-findings';

/** What stands of an answer: a check for each finding, asked or not, the conflicts and the gaps. */
export function checksInAnswer(
  input: CrossCheckInput,
  answer: unknown,
  echoes: Echoes,
): Reading<CrossCheckOutput> {
  const reading = openCheckReading(input, echoes);
  const { problems, warnings } = reading;
  const found = quotesOnFindings(reading, answer);
  const conflicts = conflictsInAnswer(reading, answer, found);
  const gaps = gapsInAnswer(reading, answer);
  const checks = findingChecks(reading, found, conflicts);
  const nothingValid = found.size === 0 && conflicts.length === 0 && problems.length > 0;
  return {
    output: nothingValid && input.findings.length > 0 ? null : { checks, conflicts, gaps },
    problems,
    warnings,
    parts: found.size + conflicts.length,
  };
}

function findingChecks(
  { input, sources }: CheckReading,
  found: QuotesOnFindings,
  conflicts: readonly Conflict[],
): FindingCheck[] {
  return input.findings.map((finding): FindingCheck => {
    const { supporting, contradicting } = found.get(finding.id) ?? { supporting: [], contradicting: [] };
    const conflicting =
      contradicting.length > 0 || conflicts.some((conflict) => conflict.findingIds.includes(finding.id));
    const confidence =
      found.has(finding.id) || conflicting
        ? corroboratedConfidence(finding, [...finding.evidence, ...supporting], { sources, conflicting })
        : finding.confidence;
    const unanswered = needsChecking(finding, input) && !found.has(finding.id) && !conflicting;
    const check = { findingId: finding.id, supporting, contradicting, confidence };
    return unanswered ? { ...check, unanswered } : check;
  });
}
