import { checkSentencesAnswer } from './check-sentences';
import { crossCheckAnswer } from './cross-check';
import { extractFindingsAnswer, extractForSectionsAnswer } from './extract-findings';
import { mergeOutlinesAnswer } from './merge-outlines';
import { outlineAnswer } from './outline';
import { scoreRelevanceAnswer } from './score-relevance';
import type { ExtractFindingsInput } from '../../../steps/extract-findings/contract';
import { sectionsOf } from '../../../steps/extract-findings/extract-findings-sections';
import type { StepAnswer } from './step-answer';
import { summariseAnswer } from './summarise';
import { writeSummaryAnswer } from './write-summary';

const answers = {
  summarise: summariseAnswer,
  outline: outlineAnswer,
  'merge-outlines': mergeOutlinesAnswer,
  'score-relevance': scoreRelevanceAnswer,
  'extract-findings': extractFindingsAnswer,
  'cross-check': crossCheckAnswer,
  'write-summary': writeSummaryAnswer,
  'check-sentences': checkSentencesAnswer,
};

/** How the answers to a step are read; undefined for a step that is asked in another way, or not at all. */
export function answerOf<Input, Output>(
  step: { name: string },
  input: Input,
): StepAnswer<Input, Output> | undefined {
  if (!Object.hasOwn(answers, step.name)) return undefined;
  // A step's name decides its input and its output; the registry above is where both are written down.
  const name = step.name as keyof typeof answers;
  const answer =
    name === 'extract-findings' && sectionsOf(input as ExtractFindingsInput).length > 1
      ? extractForSectionsAnswer
      : answers[name];
  return answer as unknown as StepAnswer<Input, Output>;
}
