import type { InputOf, OutputOf, StepName } from '../../../steps/registry';
import type { TextStepName } from '../text-steps';
import { planBriefAnswer } from '../brief/plan-brief';
import { auditAnswer } from './audit';
import { compressAnswer } from './compress';
import { crossCheckAnswer } from './cross-check/cross-check';
import { extractFindingsAnswer } from './extract-findings/extract-findings';
import { judgeAnswer } from './judge/judge';
import { mergeOutlinesAnswer } from './merge-outlines';
import { outlineAnswer } from './outline';
import { rewriteQuestionAnswer } from './rewrite-question';
import { scoreRelevanceAnswer } from './score-relevance';
import type { StepAnswer } from './step-answer';
import { summariseAnswer } from './summarise';
import { writeSummaryAnswer } from './write-summary';

/** Every step but those whose text is taken as it comes (`text-steps.ts`) is read from a whole answer. */
type AnsweredStep = Exclude<StepName, TextStepName>;

const answers: {
  [Name in AnsweredStep]: (input: InputOf<Name>) => StepAnswer<InputOf<Name>, OutputOf<Name>>;
} = {
  summarise: () => summariseAnswer,
  outline: () => outlineAnswer,
  'merge-outlines': () => mergeOutlinesAnswer,
  'score-relevance': () => scoreRelevanceAnswer,
  'extract-findings': extractFindingsAnswer,
  'cross-check': () => crossCheckAnswer,
  'write-summary': () => writeSummaryAnswer,
  audit: () => auditAnswer,
  compress: () => compressAnswer,
  'rewrite-question': () => rewriteQuestionAnswer,
  'plan-brief': () => planBriefAnswer,
  judge: () => judgeAnswer,
};

/** How the answers to a step are read; undefined for a step that is asked in another way, or not at all. */
export function answerOf<Input, Output>(
  step: { name: string },
  input: Input,
): StepAnswer<Input, Output> | undefined {
  if (!Object.hasOwn(answers, step.name)) return undefined;
  // A step's name decides its input and its output, as the registry has them.
  const read = answers[step.name as AnsweredStep] as unknown as (input: Input) => StepAnswer<Input, Output>;
  return read(input);
}
