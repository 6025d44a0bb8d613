import { z } from 'zod';
import { maxOf, minOf } from '../lib/iterables';
import { ClaimVerdict, Critique, Evidence, SetAsideClaim } from './finding';
import { ReportJudge } from './judgement';
import { EngineName, RunId, Usage, Warning } from './run';
import { PromptOrigin, RunEstimate, SearchLog, SinceLast } from './run-input';
import { type Page, SourceId, SourcesRead, WordCounts, Work } from './source';

/** `graph`: derived from a graph of documents; counts as no document. */
export const PassageOrigin = z.enum(['text', 'graph']);
export type PassageOrigin = z.infer<typeof PassageOrigin>;

/**
 * Pages from 1, both inclusive. In formats without pages, `name` is the cited place (`slide 4`, `sheet “Trials”, row 12`) and the
 * numbers only give the order.
 */
export const PageRange = z.object({
  from: z.int().positive(),
  to: z.int().positive(),
  name: z.string().min(1).optional(),
});
export type PageRange = z.infer<typeof PageRange>;

/**
 * A passage that an answer may cite. `start` and `end` are UTF-16 offsets into the source's content, `end` exclusive:
 * `content.slice(start, end) === text`.
 */
export const AnswerPassage = z.object({
  /** `P1`, `P2` … in order of relevance. Drafts cite it as `[@P1]`. */
  id: z.string().regex(/^P\d+$/),
  sourceId: SourceId,
  /** The document's name for readers: a file name, or a title. Equal for all passages of a document. */
  document: z.string().min(1),
  title: z.string(),
  url: z.string().nullable(),
  author: z.string().optional(),
  site: z.string().optional(),
  publishedAt: z.string().optional(),
  /** The document that the source is a part of; absent for a source on its own. */
  work: Work.optional(),
  summaryOnly: z.literal(true).optional(),
  pages: PageRange.nullable(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  text: z.string().min(1),
  origin: PassageOrigin,
  /** Relevance, 0–1: the retrieval's score, or the similarity that an observation states. */
  score: z.number().min(0).max(1),
});
export type AnswerPassage = z.infer<typeof AnswerPassage>;

/** Passages are sorted, best first. */
export const RetrievedPassages = z.object({
  queries: z.array(z.string().min(1)).min(1),
  passages: z.array(AnswerPassage),
  counts: WordCounts,
  searched: z.object({ documents: z.int().nonnegative(), passages: z.int().nonnegative() }),
  /** Probability that the searched text answers the question, 0–1. */
  answerable: z.number().min(0).max(1),
});
export type RetrievedPassages = z.infer<typeof RetrievedPassages>;

/** Metrics of document 004 for one attempt. Characters are UTF-16 units. */
export const AnswerMetrics = z.object({
  originalContextChars: z.int().nonnegative(),
  compressedContextChars: z.int().nonnegative(),
  /** Compressed over original size, 0–1; 1 without compression. */
  compressionRatio: z.number().min(0).max(1),
  citationCount: z.int().nonnegative(),
  answerLength: z.int().nonnegative(),
  compressionLatencyMs: z.number().nonnegative(),
});
export type AnswerMetrics = z.infer<typeof AnswerMetrics>;

/** Telemetry of document 004 under its own names; used in the trace, in a span and in a summary. */
export const AnswerTelemetry = z.object({
  node: z.literal('synthesizer'),
  retry_count: z.int().nonnegative(),
  context_chars: z.int().nonnegative(),
  context_compressed: z.boolean(),
  compression_latency_ms: z.number().nonnegative(),
  answer_length: z.int().nonnegative(),
  citations: z.int().nonnegative(),
  duration_ms: z.number().nonnegative(),
  /** Document 004 sets this flag in the metrics and reads it in the decision, so it is added here. */
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
  /** From 1 without gaps, in order of appearance. */
  n: z.int().positive(),
  /** True if a claim cites it with a passage of another document, or with two other passages (decision 0018). */
  multiSource: z.boolean(),
});
export type AnswerCitation = z.infer<typeof AnswerCitation>;

/** `answer.slice(start, end) === text`. */
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
  'answered',
  /** The passages do not answer, and the text says what is missing. */
  'insufficient',
  /** No answer could be written. The text is the caller's `finalOutput`, or a plain message. */
  'fallback',
]);
export type AnswerOutcome = z.infer<typeof AnswerOutcome>;

export const Answer = z.object({
  requestId: RunId,
  question: z.string(),

  outcome: AnswerOutcome,
  /** Markdown with citations in the requested style, and the disclaimer if there is one. */
  answer: z.string(),
  /** Probability that the sources answer, lowered by verdicts and at most `evidenceConfidence`; 0 if nothing answers. */
  confidence: z.number().min(0).max(1),
  /** A label, such as `single source`. */
  confidenceMeaning: z.string(),
  /**
   * By the number of observations, or without any, of cited documents; parts of one document count once (document 001). At most
   * 0.6 if sources contradict each other.
   */
  evidenceConfidence: z.number().min(0).max(1),
  disclaimer: z.string().nullable(),
  citations: z.array(AnswerCitation),
  claims: z.array(AnswerClaim),
  setAside: z.array(SetAsideClaim),
  /** True if passages of several documents were combined (document 003). */
  synthesisMode: z.boolean(),
  /** Documents of the passages that were read; graphs do not count. */
  sourceDocumentCount: z.int().nonnegative(),
  latencyMs: z.number().nonnegative(),
  tokensUsed: z.int().nonnegative(),
  diagnostics: z.object({
    attempts: z.int().nonnegative(),
    overCompression: z.boolean(),
    /** Of the last attempt; null if none was audited. */
    critique: Critique.nullable(),
    metrics: AnswerMetrics.nullable(),
    failure: z.string().nullable(),
    warnings: z.array(Warning),
  }),
  judge: ReportJudge.nullable().optional(),
  sourcesRead: SourcesRead.optional().describe('all sources of the run, cited or not, and what was skipped'),
  search: SearchLog.optional(),
  since: SinceLast.optional(),
  trace: z.array(AnswerTraceEntry),
  /** Estimate before the first call; absent if no model was called or no estimate was possible. */
  estimate: RunEstimate.optional(),
  usage: Usage,
  provenance: z.object({
    engine: EngineName,
    models: z.record(z.string(), z.string()),
    steps: z.record(z.string(), z.string()),
    prompts: z.record(z.string(), PromptOrigin).optional(),
    runtime: z.record(z.string(), z.string()),
  }),
});
export type Answer = z.infer<typeof Answer>;

/** Over all stored answers (document 003). Shares and means are null if there is nothing to count. */
export const AnswerStatistics = z.object({
  answers: z.int().nonnegative(),
  byOutcome: z.record(z.string(), z.int().nonnegative()),
  synthesis: z.object({
    answers: z.int().nonnegative(),
    /** Share of all answers. */
    activationRate: z.number().min(0).max(1).nullable(),
    /** Over answers in synthesis mode. */
    meanDocuments: z.number().nonnegative().nullable(),
    /** Share of their citations that are multi-source. */
    multiSourceShare: z.number().min(0).max(1).nullable(),
  }),
  meanConfidence: z.number().min(0).max(1).nullable(),
  medianLatencyMs: z.number().nonnegative().nullable(),
});
export type AnswerStatistics = z.infer<typeof AnswerStatistics>;

/** The pages that overlap a span; null if pages are unknown. */
export function pagesOf(pages: readonly Page[] | undefined, start: number, end: number): PageRange | null {
  const held = (pages ?? []).filter((page) => page.start < end && page.end > start);
  const [first, last] = [held[0], held.at(-1)];
  if (first === undefined || last === undefined) return null;
  const numbers = held.map(({ number }) => number);
  const names = [...new Set([first.name, last.name])].filter((name) => name !== undefined);
  const range = { from: minOf(numbers), to: maxOf(numbers) };
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
