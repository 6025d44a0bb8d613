import type { StepName } from '../../steps/registry';

/** The steps that an answer asks an engine for. */
export const ANSWER_STEPS: readonly StepName[] = [
  'plan-search',
  'rewrite-question',
  'compress',
  'answer',
  'audit',
];

/** Those of an answer that is to be judged. */
export const JUDGED_ANSWER_STEPS: readonly StepName[] = [...ANSWER_STEPS, 'judge'];
