import type { StepName } from '../../steps/registry';

/** The steps that a brief asks an engine for. */
export const BRIEF_STEPS: readonly StepName[] = [
  'plan-brief',
  'write-brief',
  'write-brief-part',
  'audit',
  'judge',
];
