import { toAgentState } from '../../answers/to-agent-state';
import type { Answer } from '../../contracts/answer/answer';
import type { AnswerMetrics, AnswerTelemetry } from '../../contracts/answer/answer-telemetry';
import type { SpanAttributes } from '../../tracing/traces';
import type { ActivityPorts } from '../shared/ports';
import type { AnswerFacts } from './answer-facts';

/** As document 001 calls who answers, and where Langfuse looks for what is known of an observation. */
const AGENT = 'AnswerSynthesisAgent';
const METADATA = 'langfuse.observation.metadata.';

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
  run: AnswerFacts,
  measured: readonly MeasuredAnswer[],
): void {
  for (const { metrics, telemetry, startedAt, endedAt } of measured) {
    const attributes = { ...named('telemetry', telemetry), ...named('metrics', inWireNames(metrics)) };
    traces.note(run, { name: telemetry.node, attributes, startedAt, endedAt });
  }
}

/** Document 001's generation of its synthesis agent: who answered, and how sure the reply is; nothing of what it says. */
export function tellSynthesis(
  { traces }: Pick<ActivityPorts, 'traces'>,
  run: AnswerFacts,
  answer: Answer,
  measured: readonly MeasuredAnswer[],
): void {
  const last = measured.at(-1);
  if (last === undefined) return;
  const { confidence_score, last_agent } = toAgentState(answer);
  const { confidence, outcome } = answer;
  const metadata = { agent: AGENT, confidence_score, confidence, outcome };
  traces.note(run, {
    name: last_agent,
    attributes: {
      'gen_ai.agent.name': AGENT,
      ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [METADATA + name, value])),
    },
    startedAt: measured[0]?.startedAt ?? last.startedAt,
    endedAt: last.endedAt,
  });
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
