import { MAX_OUTPUT_TOKENS } from '../../../../core/budget/call-estimates';
import type { CrossCheckInput, CrossCheckOutput, FindingCheck } from '../../../../steps/cross-check/contract';
import { findingShortIds } from '../../../../steps/material/short-ids';
import { readItems, type Reading, optionalItems } from '../reading';
import { smallerWindows } from '../smaller-windows';
import { halves, leftOf, type StepAnswer } from '../step-answer';
import { CheckItem, ChecksAnswer, GapItem } from './answered-checks';
import { sentenceKey } from '../../../../core/duplicates/near-duplicate-sentences';
import { mergeCrossChecks } from '../../../../steps/cross-check/merge-cross-checks';
import type { Conflict, Gap } from '../../../../contracts/report/finding';
import { corroboratedConfidence } from '../../../../core/evidence/corroborated-confidence';
import { needsChecking } from '../../../../core/evidence/needs-checking';
import { type CheckReading, openCheckReading, MAX_LINE_CHARS } from './check-reading';
import { conflictsInAnswer } from './conflicts-in-answer';
import { quotesOnFindings, type QuotesOnFindings } from './quotes-on-findings';
import { isAskable } from '../../grounding/grounding';
import { shortLine } from '../../grounding/plain-line';

export const crossCheckAnswer: StepAnswer<CrossCheckInput, CrossCheckOutput> = {
  schema: ChecksAnswer,
  lists: ['checks', 'conflicts', 'gaps'],
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.crossCheck,
  toOutput: checksInAnswer,
  smaller(input, reason) {
    // How long the answer is depends on the findings; how long the question is, on the sources.
    const findings = reason === 'cut-off' ? halves(input.findings) : null;
    if (findings !== null) return findings.map((half) => ({ ...input, findings: half }));
    return smallerWindows(input.sources, reason).map((sources) => ({ ...input, sources }));
  },
  whatIsLeft(input, answer) {
    const ids = findingShortIds(input.findings);
    // The last check may lack some of its quotes.
    const done = readItems(answer, 'checks', CheckItem, []).slice(0, -1);
    const findings = leftOf(
      input.findings,
      done.map(({ item }) => ids.idOf(item.finding)),
      ({ id }) => id,
    );
    return findings === null ? null : { ...input, findings };
  },
  merge: (input, parts) => mergeCheckedParts(input, parts),
};

interface Part {
  input: CrossCheckInput;
  output: CrossCheckOutput;
}

/**
 * One output from those of parts of a call. What every part misses is a gap; a part alone cannot know what the others
 * have.
 */
function mergeCheckedParts(input: CrossCheckInput, parts: readonly Part[]): CrossCheckOutput {
  const sources = new Map(input.sources.map((window) => [window.sourceId, window]));
  const outputs = parts.map(({ output }) => output);
  return { ...mergeCrossChecks(input, outputs, sources), gaps: sharedGaps(input, parts) };
}

function sharedGaps(input: CrossCheckInput, parts: readonly Part[]): CrossCheckOutput['gaps'] {
  const sameSources = parts.every((part) => part.input.sources.length === input.sources.length);
  const gaps = new Map<string, { gap: CrossCheckOutput['gaps'][number]; parts: number }>();
  for (const { output } of parts) {
    for (const gap of output.gaps) {
      const key = sentenceKey(gap.question);
      gaps.set(key, { gap, parts: (gaps.get(key)?.parts ?? 0) + 1 });
    }
  }
  return [...gaps.values()]
    .filter((found) => sameSources || found.parts === parts.length)
    .map(({ gap }) => gap);
}

function checksInAnswer(input: CrossCheckInput, answer: unknown): Reading<CrossCheckOutput> {
  const reading = openCheckReading(input);
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

const NOT_ANSWERED = 'No source that was read answers it.';

function gapsInAnswer(reading: CheckReading, answer: unknown): Gap[] {
  const { input, grounding, problems } = reading;
  return optionalItems(answer, 'gaps', GapItem, problems).flatMap(({ item }): Gap[] => {
    const question = shortLine(item.question, MAX_LINE_CHARS);
    const reason = shortLine(item.reason, MAX_LINE_CHARS) || NOT_ANSWERED;
    if (question === '' || !isAskable(question, grounding)) return [];
    return [
      { question, reason: isAskable(reason, grounding) ? reason : NOT_ANSWERED, sectionId: input.section.id },
    ];
  });
}
