import { z } from 'zod';
import { EngineName } from '../run/run';
import { BudgetLimits } from '../run/run-input';
import { MAX_QUESTION_CHARS } from '../report/report-start';
import { AnswerMessage } from './message';
import { AnswerRunInput } from './answer-run';
import { AnswerSettings } from './answer-settings';

/**
 * What anybody starts the workflow with: a question, or messages whose first human one it is, and any of what it may rest
 * on. The workflow checks it by the JSON Schema that is made of this; what was once taken is taken for ever.
 */
export const AnswerStart = AnswerRunInput.extend({
  /** Of no effect: a request's id is its workflow id. */
  runId: z.string().optional(),
  kind: z.literal('answer').default('answer'),
  question: z
    .string()
    .min(1)
    .max(MAX_QUESTION_CHARS)
    .regex(/\S/)
    .describe('a text of 1 to 4,000 characters that asks something')
    .optional(),
  /** The first human message is the question where none is given; what stands before it is history. */
  messages: z.array(AnswerMessage).min(1).optional(),
  history: z.array(AnswerMessage).default([]),
  sourceCount: z.int().nonnegative().default(0),
  /** The time of the start where it is absent. */
  asOf: z.string().describe('an ISO 8601 time, such as 2026-01-31T12:00:00Z').optional(),
  engine: EngineName.default('extractive'),
  /** Those of the worker that takes the run up where it is empty. */
  stepVersions: z.record(z.string(), z.string()).default({}),
  answers: AnswerSettings.prefault({}),
  budget: BudgetLimits.prefault({}),
  searchAttributes: z.boolean().default(false),
});
