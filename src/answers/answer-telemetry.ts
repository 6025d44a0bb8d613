import type { AnswerMetrics, AnswerTelemetry, AnswerTraceEntry } from '../contracts/answer/answer-telemetry';
import type { Critique } from '../contracts/verification/critique';
import { citedIds } from '../core/text/citation-marks';

/** What is measured of an attempt to write; sizes are UTF-16 units. */
export interface MeasuredAttempt {
  originalContextChars: number;
  compressedContextChars: number;
  compressionLatencyMs: number;
  /** The draft, with its marks. */
  markdown: string;
}

type ContextSizes = Pick<AnswerMetrics, 'originalContextChars' | 'compressedContextChars'>;

/** The share of a context that a compression left, 0–1; 1 of no context. */
export function compressionRatio({ originalContextChars, compressedContextChars }: ContextSizes): number {
  return originalContextChars === 0 ? 1 : Math.min(1, compressedContextChars / originalContextChars);
}

/** Document 004's six metrics. Citations are counted as they stand in the text, repeats included. */
export function answerMetrics({ markdown, ...measured }: MeasuredAttempt): AnswerMetrics {
  return {
    ...measured,
    compressionRatio: compressionRatio(measured),
    citationCount: citedIds(markdown).length,
    answerLength: markdown.length,
  };
}

/** Document 004: whether less than this share of a context that was compressed is left. */
export function isOverCompressed(sizes: ContextSizes, below: number): boolean {
  return sizes.compressedContextChars < sizes.originalContextChars && compressionRatio(sizes) < below;
}

/** Document 004's sentence, which goes into the critique of an over-compressed attempt. */
export const OVER_COMPRESSION_GAP = 'Evidence was over-compressed; critical context may have been lost.';

/** Document 004's nine fields. `attempt` counts from 1. */
export function synthesizerEntry(
  metrics: AnswerMetrics,
  at: { attempt: number; durationMs: number; overCompression: boolean },
): AnswerTelemetry {
  return {
    node: 'synthesizer',
    retry_count: at.attempt - 1,
    context_chars: metrics.originalContextChars,
    context_compressed: metrics.compressedContextChars < metrics.originalContextChars,
    compression_latency_ms: metrics.compressionLatencyMs,
    answer_length: metrics.answerLength,
    citations: metrics.citationCount,
    duration_ms: at.durationMs,
    over_compression_flag: at.overCompression,
  };
}

type EntryOf<Node extends AnswerTraceEntry['node']> = Extract<AnswerTraceEntry, { node: Node }>;

/** What an audit found, as the trace has it. `claims` are those that were written, set aside ones included. */
export function criticEntry(
  critique: Critique,
  at: { attempt: number; claims: number; supported: number; setAside: number; durationMs: number },
): EntryOf<'critic'> {
  return {
    node: 'critic',
    attempt: at.attempt,
    claims: at.claims,
    supported: at.supported,
    set_aside: at.setAside,
    logical_gaps: critique.logicalGaps.length,
    hallucination_detected: critique.hallucinationDetected,
    needs_retry: critique.needsRetry,
    duration_ms: at.durationMs,
  };
}
