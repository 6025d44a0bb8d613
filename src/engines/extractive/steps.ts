import { crossCheckExtractively } from './cross-check';
import { extractFindingsExtractively } from './extract-findings';
import { joinPlans } from '../../core/ranking/join-plans';
import { outlineExtractively } from './outline';
import { scoreRelevanceExtractively } from './score-relevance';
import { summariseExtractively } from './summarise';
import { writeSectionExtractively } from './write-section';
import { writeSummaryExtractively } from './write-summary';
import type { CheckSentencesOutput } from '../../steps/check-sentences/check-sentences';
import type { MergeOutlinesInput } from '../../steps/merge-outlines/merge-outlines';

/** Every step that the extractive engine can carry out, by the step's name; each is pure and deterministic. */
const steps = {
  summarise: summariseExtractively,
  outline: outlineExtractively,
  'merge-outlines': ({ plans }: MergeOutlinesInput) => joinPlans(plans),
  'score-relevance': scoreRelevanceExtractively,
  'extract-findings': extractFindingsExtractively,
  'cross-check': crossCheckExtractively,
  'write-section': writeSectionExtractively,
  'write-summary': writeSummaryExtractively,
  // There is no critic without a model: nothing is confirmed.
  'check-sentences': (): CheckSentencesOutput => ({ verdicts: [] }),
};

/** Runs a step by name on an input that was parsed with the step's schema. Throws for a name it does not know. */
export function runExtractiveStep(name: string, input: unknown): unknown {
  if (!(name in steps)) throw new Error(`The extractive engine has no step "${name}"`);
  const step = steps[name as keyof typeof steps] as (input: unknown) => unknown; // the caller parsed the input
  return step(input);
}
