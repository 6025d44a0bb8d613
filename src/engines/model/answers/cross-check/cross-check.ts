import { MAX_OUTPUT_TOKENS } from '../../../../core/budget/call-estimates';
import type { CrossCheckInput, CrossCheckOutput } from '../../../../steps/cross-check/contract';
import { findingShortIds } from '../../../../steps/material/short-ids';
import { readItems } from '../reading';
import { smallerWindows } from '../smaller-windows';
import { halves, leftOf, type StepAnswer } from '../step-answer';
import { CheckItem, ChecksAnswer } from './answered-checks';
import { checksInAnswer } from './checks-in-answer';
import { mergeCheckedParts } from './merge-checked-parts';

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
