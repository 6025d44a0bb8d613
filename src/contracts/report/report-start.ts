import { z } from 'zod';
import { JudgeSettings } from '../judge/rubric';
import { ArtifactRef } from '../run/artifact';
import { BudgetLimits } from '../run/run-input';
import { EngineName } from '../run/run';
import { ReportRunInput } from './report-run';
import { SynthesisSettings } from './synthesis-settings';

/** A question goes into the history, the memo and prompts. */
export const MAX_QUESTION_CHARS = 4_000;

/**
 * What anybody starts the workflow with: the input of a run before its defaults are filled in. The workflow checks it by
 * the JSON Schema that is made of this (`src/contracts/schemas`); what was once taken is taken for ever, because runs that are
 * under way replay it. A description says what is allowed.
 */
export const ReportStart = ReportRunInput.extend({
  /** Of no effect: a run's id is its workflow id. */
  runId: z.string().optional(),
  kind: z.literal('report').default('report'),
  question: z
    .string()
    .min(1)
    .max(MAX_QUESTION_CHARS)
    .regex(/\S/)
    .describe('a text of 1 to 4,000 characters that asks something'),
  /** Absent, with `sourceCount`, where the message `addSources` comes with the start, in one call: those are the first sources. */
  manifestRef: ArtifactRef.optional(),
  sourceCount: z.int().positive().optional(),
  /** The time of the start where it is absent. */
  asOf: z.string().describe('an ISO 8601 time, such as 2026-01-31T12:00:00Z').optional(),
  engine: EngineName.default('extractive'),
  /** Those of the worker that takes the run up where it is empty. */
  stepVersions: z.record(z.string(), z.string()).default({}),
  synthesis: SynthesisSettings.prefault({}),
  judge: JudgeSettings.prefault({}),
  budget: BudgetLimits.prefault({}),
  searchAttributes: z.boolean().default(false),
});
