import type { StepName } from '../../steps/registry';

/** The steps that a report asks an engine for. */
export const REPORT_STEPS: readonly StepName[] = [
  'plan-search',
  'summarise',
  'outline',
  'merge-outlines',
  'score-relevance',
  'extract-findings',
  'cross-check',
  'write-section',
  'write-summary',
  'audit',
  'judge',
];
