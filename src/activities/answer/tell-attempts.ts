import type { AnswerMetrics, AnswerTelemetry } from '../../contracts/answer/answer-telemetry';
import type { SpanAttributes } from '../../tracing/traces';
import type { ActivityPorts } from '../shared/ports';
import type { AnswerBrief } from './answer-brief';

/** What was measured of an attempt, and when it was: milliseconds since 1970, by the workflow's clock, the same on every trial. */
export interface MeasuredAnswer {
  metrics: AnswerMetrics;
  telemetry: AnswerTelemetry;
  startedAt: number;
  endedAt: number;
}

/** Tells whoever gathers traces of every attempt, in document 004's names; of nothing that was asked, read or written. */
export function tellAttempts(
  { traces }: Pick<ActivityPorts, 'traces'>,
  run: AnswerBrief,
  measured: readonly MeasuredAnswer[],
): void {
  for (const { metrics, telemetry, startedAt, endedAt } of measured) {
    const attributes = { ...named('telemetry', telemetry), ...named('metrics', inWireNames(metrics)) };
    traces.note(run, { name: telemetry.node, attributes, startedAt, endedAt });
  }
}

function inWireNames(metrics: AnswerMetrics): Record<string, number> {
  return {
    original_context_chars: metrics.originalContextChars,
    compressed_context_chars: metrics.compressedContextChars,
    compression_ratio: metrics.compressionRatio,
    citation_count: metrics.citationCount,
    answer_length: metrics.answerLength,
    compression_latency_ms: metrics.compressionLatencyMs,
  };
}

function named(group: string, values: SpanAttributes): SpanAttributes {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`colligate.${group}.${name}`, value]),
  );
}
