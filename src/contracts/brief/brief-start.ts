import { z } from 'zod';
import { JudgeSettings } from '../judge/rubric';
import { MAX_QUESTION_CHARS } from '../report/report-start';
import { EngineName } from '../run/run';
import { BudgetLimits } from '../run/run-input';
import { BriefRunInput } from './brief-run';
import { BriefSettings } from './brief-settings';

/**
 * What anybody starts the workflow with: a question, and the subtopics or where they are stored. The workflow checks it by the
 * JSON Schema that is made of this; what was once taken is taken for ever.
 */
export const BriefStart = BriefRunInput.extend({
  /** Of no effect: a run's id is its workflow id. */
  runId: z.string().optional(),
  kind: z.literal('brief').default('brief'),
  question: z
    .string()
    .min(1)
    .max(MAX_QUESTION_CHARS)
    .regex(/\S/)
    .describe('a text of 1 to 4,000 characters that asks something'),
  sourceCount: z.int().nonnegative().default(0),
  /** The time of the start where it is absent. */
  asOf: z.string().describe('an ISO 8601 time, such as 2026-01-31T12:00:00Z').optional(),
  engine: EngineName.default('extractive'),
  /** Those of the worker that takes the run up where it is empty. */
  stepVersions: z.record(z.string(), z.string()).default({}),
  brief: BriefSettings.prefault({}),
  judge: JudgeSettings.prefault({}),
  budget: BudgetLimits.prefault({}),
  searchAttributes: z.boolean().default(false),
});
