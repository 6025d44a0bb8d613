import { z } from 'zod';
import { ReportJudge } from '../judge/judgement';
import { RunEstimate } from '../run/estimate';
import { PromptOrigin } from '../run/prompts';
import { EngineName, RunId, Usage, Warning } from '../run/run';
import { SearchAccount } from '../run/search';
import { SinceLast } from '../run/since';
import { ClaimVerdict } from '../verification/claim-verdict';
import { Critique, SetAsideClaim } from '../verification/critique';
import { Evidence } from '../report/finding';
import { AnswerPassage } from './answer-passage';
import { AnswerMetrics, AnswerTraceEntry } from './answer-telemetry';

export const AnswerCitation = AnswerPassage.omit({ id: true }).extend({
  /** Its number in the answer, from 1 without holes, in order of appearance. */
  n: z.int().positive(),
  /** Whether a claim cites it together with a passage of another document, or with two more passages (decision 0018). */
  multiSource: z.boolean(),
});
export type AnswerCitation = z.infer<typeof AnswerCitation>;

/** A claim of the answer: `answer.slice(start, end) === text`. */
export const AnswerClaim = z.object({
  id: z.string(),
  text: z.string().min(1),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  citations: z.array(z.int().positive()),
  ...ClaimVerdict.omit({ evidence: true }).shape,
  evidence: z.array(Evidence.extend({ n: z.int().positive() })),
});
export type AnswerClaim = z.infer<typeof AnswerClaim>;

export const AnswerOutcome = z.enum([
  /** The passages answer, and the answer says what they say. */
  'answered',
  /** They do not, and the answer says what is missing. */
  'insufficient',
  /** No answer could be written: it is the caller's `finalOutput`, or a plain message. */
  'fallback',
]);
export type AnswerOutcome = z.infer<typeof AnswerOutcome>;

export const Answer = z.object({
  requestId: RunId,
  question: z.string(),

  outcome: AnswerOutcome,
  /** Markdown, with citations in the style that was asked for, and its disclaimer where it has one. */
  answer: z.string(),
  /** How likely what was searched answers, lowered by verdicts, and no higher than `evidenceConfidence`; 0 where nothing answers. */
  confidence: z.number().min(0).max(1),
  /** What that means, such as `single source`. */
  confidenceMeaning: z.string(),
  /**
   * By the number of observations, or of the different documents that are cited where none were given (document 001): one where one
   * document, or parts of one, bear the answer; at most 0.6 where sources contradict each other.
   */
  evidenceConfidence: z.number().min(0).max(1),
  disclaimer: z.string().nullable(),
  citations: z.array(AnswerCitation),
  claims: z.array(AnswerClaim),
  setAside: z.array(SetAsideClaim),
  /** Whether passages of several documents were brought together (document 003). */
  synthesisMode: z.boolean(),
  /** Of the passages that were read, those of graphs not counted. */
  sourceDocumentCount: z.int().nonnegative(),
  latencyMs: z.number().nonnegative(),
  tokensUsed: z.int().nonnegative(),
  diagnostics: z.object({
    attempts: z.int().nonnegative(),
    overCompression: z.boolean(),
    /** The last attempt's; null where none was audited. */
    critique: Critique.nullable(),
    metrics: AnswerMetrics.nullable(),
    /** Why there is a fallback; null where there is none. */
    failure: z.string().nullable(),
    warnings: z.array(Warning),
  }),
  /** Null or absent where it was not to be judged. */
  judge: ReportJudge.nullable().optional(),
  /** What was searched for, and what became of all that was found; absent where nothing was. */
  search: SearchAccount.optional(),
  /** What changed since the run before, of a schedule; absent in any other answer. */
  since: SinceLast.optional(),
  trace: z.array(AnswerTraceEntry),
  /** What was expected before the first call, beside `usage`; absent where no model was asked, and where it was not known. */
  estimate: RunEstimate.optional(),
  usage: Usage,
  provenance: z.object({
    engine: EngineName,
    models: z.record(z.string(), z.string()),
    steps: z.record(z.string(), z.string()),
    /** The prompt of each step, where models were asked. */
    prompts: z.record(z.string(), PromptOrigin).optional(),
    /** With `traceId` where the answer was traced. */
    runtime: z.record(z.string(), z.string()),
  }),
});
export type Answer = z.infer<typeof Answer>;
