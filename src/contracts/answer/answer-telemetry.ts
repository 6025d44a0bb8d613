import { z } from 'zod';

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
