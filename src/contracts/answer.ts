import { z } from 'zod';
import { greatest, least } from '../lib/iterables';
import { ClaimVerdict, Critique, Evidence, SetAsideClaim } from './finding';
import { ReportJudge } from './judgement';
import { EngineName, RunId, Usage, Warning } from './run';
import { PromptOrigin, RunEstimate, SearchAccount, SinceLast } from './run-input';
import { type Page, SourceId, WordCounts, Work } from './source';

/** Where a passage comes from: what documents say, or what a graph of them was made to say, which counts for no document. */
export const PassageOrigin = z.enum(['text', 'graph']);
export type PassageOrigin = z.infer<typeof PassageOrigin>;

/**
 * Pages of a document, both inclusive, from 1. Where its parts are no pages, `name` is what they are cited by (`slide 4`,
 * `sheet “Trials”, row 12`), and the numbers only give the order.
 */
export const PageRange = z.object({
  from: z.int().positive(),
  to: z.int().positive(),
  name: z.string().min(1).optional(),
});
export type PageRange = z.infer<typeof PageRange>;

/**
 * A passage that an answer may cite. `start` and `end` are UTF-16 offsets into its source's content, `end` exclusive, and
 * `content.slice(start, end) === text`, always.
 */
export const AnswerPassage = z.object({
  /** `P1`, `P2` …: what drafts cite it by, in marks `[@P1]`; its number is its place in the order of relevance. */
  id: z.string().regex(/^P\d+$/),
  sourceId: SourceId,
  /** What a reader calls its document: a file's name, else a title. Passages of one document have the same. */
  document: z.string().min(1),
  title: z.string(),
  url: z.string().nullable(),
  author: z.string().optional(),
  site: z.string().optional(),
  publishedAt: z.string().optional(),
  /** The document of which its source is a part; absent where it stands alone. */
  work: Work.optional(),
  /** Its source is known by its summary alone. */
  summaryOnly: z.literal(true).optional(),
  pages: PageRange.nullable(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  text: z.string().min(1),
  origin: PassageOrigin,
  /** How well it fits the question, 0–1: the retrieval's, or the similarity that an observation gives. */
  score: z.number().min(0).max(1),
});
export type AnswerPassage = z.infer<typeof AnswerPassage>;

/** What a retrieval leaves, best first. */
export const RetrievedPassages = z.object({
  queries: z.array(z.string().min(1)).min(1),
  passages: z.array(AnswerPassage),
  counts: WordCounts,
  searched: z.object({ documents: z.int().nonnegative(), passages: z.int().nonnegative() }),
  /** How likely it is that what was searched answers the question, 0–1. */
  answerable: z.number().min(0).max(1),
});
export type RetrievedPassages = z.infer<typeof RetrievedPassages>;

/** Document 004's metrics of an attempt. Characters are UTF-16 units. */
export const AnswerMetrics = z.object({
  originalContextChars: z.int().nonnegative(),
  compressedContextChars: z.int().nonnegative(),
  /** The second over the first, 0–1; 1 where nothing was compressed. */
  compressionRatio: z.number().min(0).max(1),
  citationCount: z.int().nonnegative(),
  answerLength: z.int().nonnegative(),
  compressionLatencyMs: z.number().nonnegative(),
});
export type AnswerMetrics = z.infer<typeof AnswerMetrics>;

/** Document 004's telemetry of a node, by its own names, as it is appended to the trace, put on a span and into a summary. */
export const AnswerTelemetry = z.object({
  node: z.literal('synthesizer'),
  retry_count: z.int().nonnegative(),
  context_chars: z.int().nonnegative(),
  context_compressed: z.boolean(),
  compression_latency_ms: z.number().nonnegative(),
  answer_length: z.int().nonnegative(),
  citations: z.int().nonnegative(),
  duration_ms: z.number().nonnegative(),
  /** The ninth: the document sets it in the metrics, and reads it where it decides. */
  over_compression_flag: z.boolean(),
});
export type AnswerTelemetry = z.infer<typeof AnswerTelemetry>;

export const AnswerTraceEntry = z.discriminatedUnion('node', [
  z.object({
    node: z.literal('retriever'),
    attempt: z.int().positive(),
    queries: z.array(z.string()),
    passages: z.int().nonnegative(),
    documents: z.int().nonnegative(),
    answerable: z.number().min(0).max(1),
    broader: z.boolean(),
    duration_ms: z.number().nonnegative(),
  }),
  AnswerTelemetry,
  z.object({
    node: z.literal('critic'),
    attempt: z.int().positive(),
    claims: z.int().nonnegative(),
    supported: z.int().nonnegative(),
    set_aside: z.int().nonnegative(),
    logical_gaps: z.int().nonnegative(),
    hallucination_detected: z.boolean(),
    needs_retry: z.boolean(),
    duration_ms: z.number().nonnegative(),
  }),
  z.object({
    node: z.literal('supervisor'),
    attempt: z.int().positive(),
    decision: z.enum(['end', 'rewrite', 'broaden']),
    reason: z.string(),
  }),
]);
export type AnswerTraceEntry = z.infer<typeof AnswerTraceEntry>;

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

/** Of all kept answers (document 003's statistics). Shares and means are null where there is nothing to count. */
export const AnswerStatistics = z.object({
  answers: z.int().nonnegative(),
  byOutcome: z.record(z.string(), z.int().nonnegative()),
  synthesis: z.object({
    answers: z.int().nonnegative(),
    /** Of all answers. */
    activationRate: z.number().min(0).max(1).nullable(),
    /** Over the answers in synthesis mode. */
    meanDocuments: z.number().nonnegative().nullable(),
    /** Of their citations, those that are multi-source. */
    multiSourceShare: z.number().min(0).max(1).nullable(),
  }),
  meanConfidence: z.number().min(0).max(1).nullable(),
  medianLatencyMs: z.number().nonnegative().nullable(),
});
export type AnswerStatistics = z.infer<typeof AnswerStatistics>;

/** The pages on which something of a span stands; null where none is known. */
export function pagesOf(pages: readonly Page[] | undefined, start: number, end: number): PageRange | null {
  const held = (pages ?? []).filter((page) => page.start < end && page.end > start);
  const [first, last] = [held[0], held.at(-1)];
  if (first === undefined || last === undefined) return null;
  const numbers = held.map(({ number }) => number);
  const names = [...new Set([first.name, last.name])].filter((name) => name !== undefined);
  const range = { from: least(numbers), to: greatest(numbers) };
  return names.length === 0 ? range : { ...range, name: names.join(' – ') };
}

export function placeOfQuote(
  pages: readonly Page[] | undefined,
  { start, end }: { start: number; end: number },
): { page?: number; place?: string } {
  const range = pagesOf(pages, start, end);
  if (range === null) return {};
  return range.name === undefined ? { page: range.from } : { place: range.name };
}
