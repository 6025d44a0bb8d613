import { createHash } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import { createOtlpHttpExportDelegate } from '@opentelemetry/otlp-exporter-base/node-http';
import { JsonTraceSerializer, TraceExporterMetricsHelper } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import type { SpanAttributes, StepSpan, TracedRun, Traces } from '../activities/external-ports';
import type { ModelCall } from '../engines/engine';
import type { EventLog } from '../stores/event-log';

const MAX_CONTENT_CHARS = 20_000;

const MAX_UNDER_WAY = 1_024;
const CLOSE_MS = 1_500;

/** Creates traces. The start of a run comes from its event log, which all processes of the run share. */
export function createTraces(settings: {
  writer: SpanWriter;
  events: Pick<EventLog, 'read'>;
  content: boolean;
  onFailure: (reason: string) => void;
}): Traces {
  const { writer, events, content, onFailure } = settings;
  const underWay = new Set<Promise<void>>();

  const firstOf = async (runId: string): ReturnType<typeof readRunStart> => readRunStart(events, runId);
  const traceOf = async ({ runId }: TracedRun): Promise<string> =>
    traceIdOf(runId, (await firstOf(runId))?.at ?? null);

  function inBackground(run: TracedRun, tell: (traceId: string) => void | Promise<void>): void {
    if (underWay.size >= MAX_UNDER_WAY) return;
    const told: Promise<void> = traceOf(run)
      .then(tell)
      .catch((error: unknown) => onFailure(error instanceof Error ? error.name : 'unknown'))
      .finally(() => underWay.delete(told));
    underWay.add(told);
  }
  let closing: Promise<void> | null = null;
  async function closeInTime(): Promise<void> {
    const limit = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
    const told = Promise.allSettled([...underWay]).then(() => writer.shutdown());
    await Promise.race([told.catch(() => undefined), limit]);
  }
  const rootOf = (traceId: string): string => spanIdOf(traceId, 'run');

  return {
    isOn: true,
    step(run, span) {
      inBackground(run, (traceId) => {
        const spanId = stepSpanId(traceId, span);
        const { startedAt, endedAt } = span;
        writer.write({
          traceId,
          spanId,
          parentId: rootOf(traceId),
          name: span.step.name,
          kind: 'internal',
          startedAt,
          endedAt,
          attributes: { ...runAttributes(run), ...stepAttributes(span, content) },
          failed: span.failure !== null,
        });
        for (const [index, call] of span.calls.entries()) {
          writer.write({
            traceId,
            spanId: spanIdOf(traceId, spanId, index),
            parentId: spanId,
            name: `chat ${call.model}`,
            kind: 'client',
            startedAt: call.startedAt,
            endedAt: call.endedAt,
            attributes: { ...runAttributes(run), ...callAttributes(call, span, content) },
            failed: call.failure !== null,
          });
        }
      });
    },
    note(run, { name, attributes, startedAt, endedAt }) {
      inBackground(run, (traceId) =>
        writer.write({
          traceId,
          spanId: spanIdOf(traceId, 'note', name, startedAt),
          parentId: rootOf(traceId),
          name,
          kind: 'internal',
          startedAt,
          endedAt,
          attributes: { ...runAttributes(run), ...attributes },
          failed: false,
        }),
      );
    },
    ended(run, status) {
      const endedAt = Date.now();
      inBackground(run, async (traceId) => {
        const first = await firstOf(run.runId);
        const started = first?.started ?? null;
        writer.write({
          traceId,
          spanId: rootOf(traceId),
          parentId: null,
          name: started?.kind ?? 'run',
          kind: 'internal',
          startedAt: first === null ? endedAt : Date.parse(first.at),
          endedAt,
          attributes: {
            ...runAttributes(run),
            ...(started === null ? {} : startAttributes(started, content)),
            'colligate.status': status,
          },
          failed: status === 'failed',
        });
      });
    },
    idOf: (run) => traceOf(run).catch(() => null),
    close: () => (closing ??= closeInTime()),
  };
}

interface RunStart {
  kind: string;
  question: string;
  engine: string;
  sources: number;
}

async function readRunStart(
  events: Pick<EventLog, 'read'>,
  runId: string,
): Promise<{ at: string; started: RunStart | null } | null> {
  const [first] = await events.read(runId, { limit: 1 });
  if (first === undefined) return null;
  return { at: first.at, started: first.type === 'run-started' ? first.payload : null };
}

function startAttributes({ kind, question, engine, sources }: RunStart, content: boolean): SpanAttributes {
  return {
    'langfuse.trace.name': kind,
    'colligate.kind': kind,
    'colligate.engine': engine,
    'colligate.sources': sources,
    ...(content ? { 'langfuse.trace.input': question, 'langfuse.observation.input': question } : {}),
  };
}

function digest(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Equal in all processes of a run, different for a later run with the same id. */
function traceIdOf(runId: string, begunAt: string | null): string {
  return digest(['trace', runId, begunAt]).slice(0, 32);
}

/** Deterministic, so that a repeated report gives the same span. */
function spanIdOf(traceId: string, ...parts: unknown[]): string {
  return digest(['span', traceId, ...parts]).slice(0, 16);
}

function stepSpanId(traceId: string, span: StepSpan): string {
  const { step, place, turn, input, failure, endedAt } = span;
  return spanIdOf(traceId, step.name, place, turn, digest(input), failure === null ? null : endedAt);
}

/** Run attributes in the names of Colligate, OpenTelemetry and Langfuse. */
function runAttributes({ runId }: TracedRun): SpanAttributes {
  return {
    'colligate.run.id': runId,
    'session.id': runId,
    'gen_ai.conversation.id': runId,
  };
}

function stepAttributes(span: StepSpan, content: boolean): SpanAttributes {
  const { step, engine, place, turn, prompt, usage, failure } = span;
  return {
    'langfuse.observation.type': 'span',
    'colligate.step': step.name,
    'colligate.step.version': step.version,
    'colligate.engine': engine,
    'colligate.pass': place.pass,
    ...(place.section === undefined ? {} : { 'colligate.section': place.section }),
    ...(place.revision === undefined ? {} : { 'colligate.revision': place.revision }),
    'colligate.turn': turn,
    ...(prompt === null
      ? {}
      : {
          'colligate.prompt.name': prompt.name,
          'colligate.prompt.version': prompt.version,
          'colligate.prompt.from': prompt.from,
        }),
    ...(usage === null
      ? {}
      : {
          'colligate.usage.calls': usage.calls,
          'colligate.usage.cached_calls': usage.cachedCalls,
          'colligate.usage.input_tokens': usage.inputTokens,
          'colligate.usage.output_tokens': usage.outputTokens,
          'colligate.usage.cost_usd': usage.costUsd,
        }),
    ...(failure === null ? {} : { 'error.type': failure }),
    ...(content
      ? {
          'langfuse.observation.input': asText(span.input),
          'langfuse.observation.output': asText(span.output),
        }
      : {}),
  };
}

function callAttributes(call: ModelCall, { prompt, engine }: StepSpan, content: boolean): SpanAttributes {
  const { model, usage, answer, failure } = call;
  const isOutside = prompt?.from === 'langfuse';
  return {
    'langfuse.observation.type': 'generation',
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': engine,
    'gen_ai.request.model': model,
    'gen_ai.request.temperature': call.temperature,
    'gen_ai.request.max_tokens': call.maxOutputTokens,
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'langfuse.observation.cost_details': JSON.stringify({ total: usage.costUsd }),
    'colligate.cached': usage.cachedCalls > 0,
    ...(answer === null ? {} : { 'gen_ai.response.finish_reasons': [answer.finishReason] }),
    ...(isOutside
      ? {
          'langfuse.observation.prompt.name': prompt.name,
          'langfuse.observation.prompt.version': Number(prompt.version),
        }
      : {}),
    ...(failure === null ? {} : { 'error.type': failure }),
    ...(content ? contentOf(call) : {}),
  };
}

function contentOf({ messages, answer }: ModelCall): SpanAttributes {
  const message = (role: string, text: string): unknown => ({
    role,
    parts: [{ type: 'text', content: truncate(text) }],
  });
  const asked = messages.map(({ role, content }) => message(role, content));
  return {
    'gen_ai.input.messages': JSON.stringify(asked),
    ...(answer === null
      ? {}
      : { 'gen_ai.output.messages': JSON.stringify([message('assistant', answer.text)]) }),
  };
}

function asText(value: unknown): string {
  return truncate(value === undefined ? '' : JSON.stringify(value));
}

function truncate(text: string): string {
  return text.length > MAX_CONTENT_CHARS ? `${text.slice(0, MAX_CONTENT_CHARS)}…` : text;
}

const MAX_WAITING = 1_024;
const EXPORT_BATCH_SIZE = 128;
const SEND_EVERY_MS = 1_000;

/** An ended span with explicit ids. Times are in milliseconds since 1970. */
export interface WrittenSpan {
  traceId: string;
  spanId: string;
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

/** Writes spans with OpenTelemetry's SDK. Registers nothing globally. */
export function createSpanWriter(
  service: { name: string; version: string },
  exporters: readonly { exporter: SpanExporter; timeoutMs: number }[],
): SpanWriter {
  const next = { traceId: '', spanId: '' };
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service.name, 'service.version': service.version }),
    sampler: new AlwaysOnSampler(),
    // `startSpan` calls both generators synchronously.
    idGenerator: { generateTraceId: () => next.traceId, generateSpanId: () => next.spanId },
    spanProcessors: exporters.map(
      ({ exporter, timeoutMs }) =>
        new BatchSpanProcessor(exporter, {
          maxQueueSize: MAX_WAITING,
          maxExportBatchSize: EXPORT_BATCH_SIZE,
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

/** At shutdown the whole queue is sent at once. */
const EXPORT_CONCURRENCY = 16;

/** `ExportResultCode.SUCCESS` of `@opentelemetry/core`. */
const EXPORT_SUCCESS = 0;

export interface OtlpTarget {
  name: string;
  url: string;
  headers: Readonly<Record<string, string>>;
}

/**
 * Sends OTLP in JSON, with retries within `timeoutMs`. The SDK's own exporter is not used, because it adds headers
 * from the environment, keys included. `onFailure` gets a reason without any sent data.
 */
export function createOtlpExporter(
  { url, headers }: OtlpTarget,
  timeoutMs: number,
  onFailure: (reason: string) => void,
): SpanExporter {
  const isSecure = url.startsWith('https:');
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const sending = new OTLPExporterBase(
    createOtlpHttpExportDelegate(
      {
        url,
        headers: () => Promise.resolve({ ...headers, 'Content-Type': 'application/json' }),
        concurrencyLimit: EXPORT_CONCURRENCY,
        timeoutMillis: timeoutMs,
        compression: 'none',
        agentFactory: () => agent,
      },
      JsonTraceSerializer,
      'otlp_http_span_exporter',
      TraceExporterMetricsHelper,
      undefined,
    ),
  );
  return {
    export(spans, done) {
      sending.export(spans, (result) => {
        if (result.error !== undefined) onFailure(failureReason(result.error));
        // Always success: the failure is already reported, and the SDK would call the global error handler.
        done({ code: EXPORT_SUCCESS });
      });
    },
    forceFlush: () => sending.forceFlush(),
    async shutdown() {
      await sending.shutdown();
      agent.destroy();
    },
  };
}

/** The body of the response may contain anything and is not shown. */
function failureReason(error: Error & { code?: unknown }): string {
  return typeof error.code === 'number' ? `it answers ${error.code}` : error.message.slice(0, 200);
}
