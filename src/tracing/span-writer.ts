import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { SpanAttributes } from './traces';

/** So many spans wait to be sent at most; beyond that they are dropped. */
const MAX_WAITING = 1_024;
const SENT_AT_ONCE = 128;
const SEND_EVERY_MS = 1_000;

/** A span that has ended, under ids that are its own. Times are milliseconds since 1970. */
export interface WrittenSpan {
  traceId: string;
  spanId: string;
  /** Null for the span of a run. */
  parentId: string | null;
  name: string;
  kind: 'internal' | 'client';
  startedAt: number;
  endedAt: number;
  attributes: SpanAttributes;
  failed: boolean;
}

export interface SpanWriter {
  write(span: WrittenSpan): void;
  shutdown(): Promise<void>;
}

/** Writes spans with OpenTelemetry's SDK, of which nothing is registered: others in the process have theirs as it was. */
export function createSpanWriter(
  service: { name: string; version: string },
  exporters: readonly { exporter: SpanExporter; timeoutMs: number }[],
): SpanWriter {
  const next = { traceId: '', spanId: '' };
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service.name, 'service.version': service.version }),
    sampler: new AlwaysOnSampler(),
    // Both are asked within `startSpan`.
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
    spanProcessors: exporters.map(
      ({ exporter, timeoutMs }) =>
        new BatchSpanProcessor(exporter, {
          maxQueueSize: MAX_WAITING,
          maxExportBatchSize: SENT_AT_ONCE,
          scheduledDelayMillis: SEND_EVERY_MS,
          exportTimeoutMillis: timeoutMs,
        }),
    ),
  });
  const tracer = provider.getTracer(service.name, service.version);
  return {
    write({ traceId, spanId, parentId, name, kind, startedAt, endedAt, attributes, failed }) {
      Object.assign(next, { traceId, spanId });
      const parent =
        parentId === null
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, {
              traceId,
              spanId: parentId,
              traceFlags: TraceFlags.SAMPLED,
              isRemote: true,
            });
      const options = {
        kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
        startTime: startedAt,
        attributes: { ...attributes },
      };
      const span = tracer.startSpan(name, options, parent);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endedAt);
    },
    shutdown: () => provider.shutdown(),
  };
}
