import { NO_TRACES, type Traces } from '../activities/external-ports';
import type { ExternalSettings } from '../contracts/settings';
import type { EventLog } from '../stores/event-log';
import type { OtlpTarget } from './otlp-traces';

const EXPORT_MS = 5_000;
/** Margin after which the exporter itself has given up. */
const EXPORT_MARGIN_MS = 1_000;

export async function openTraces(
  settings: Pick<ExternalSettings, 'telemetry' | 'langfuse'>,
  ports: {
    events: Pick<EventLog, 'read'>;
    version: string;
    warn: (message: string) => void;
  },
): Promise<Traces> {
  const targets = otlpTargets(settings);
  if (targets.length === 0) return NO_TRACES;
  const { createOtlpExporter } = await import('./otlp-traces.js');
  const { createSpanWriter } = await import('./otlp-traces.js');
  const { createTraces } = await import('./otlp-traces.js');
  let isClosed = false;
  const warnOnce = (message: (reason: string) => string): ((reason: string) => void) =>
    once((reason) => {
      if (!isClosed) ports.warn(`${message(reason)}; runs go on without. Said once.`);
    });
  const exporters = targets.map((target) => {
    const warn = warnOnce((reason) => `Traces cannot be sent to ${target.name} (${reason})`);
    return { exporter: createOtlpExporter(target, EXPORT_MS, warn), timeoutMs: EXPORT_MS + EXPORT_MARGIN_MS };
  });
  const writer = createSpanWriter({ name: 'colligate', version: ports.version }, exporters);
  const onFailure = warnOnce((reason) => `A span could not be written (${reason})`);
  const { content } = settings.telemetry;
  const traces = createTraces({ writer, events: ports.events, content, onFailure });
  return {
    ...traces,
    async close() {
      await traces.close();
      isClosed = true;
    },
  };
}

function once(say: (reason: string) => void): (reason: string) => void {
  let isSaid = false;
  return (reason) => {
    if (isSaid) return;
    isSaid = true;
    say(reason);
  };
}

export function otlpTargets({
  telemetry,
  langfuse,
}: Pick<ExternalSettings, 'telemetry' | 'langfuse'>): OtlpTarget[] {
  const { endpoint, headers } = telemetry;
  const { baseUrl, publicKey, secretKey } = langfuse;
  const targets: OtlpTarget[] = [];
  if (endpoint !== null)
    targets.push({
      name: 'the collector',
      url: tracesUrl(endpoint),
      headers: headers === null ? {} : parseHeaders(headers.reveal()),
    });
  if (telemetry.langfuse && baseUrl !== null && publicKey !== null && secretKey !== null) {
    const key = Buffer.from(`${publicKey.reveal()}:${secretKey.reveal()}`).toString('base64');
    targets.push({
      name: 'Langfuse',
      url: tracesUrl(`${baseUrl.replace(/\/+$/, '')}/api/public/otel`),
      headers: { Authorization: `Basic ${key}` },
    });
  }
  return targets;
}

/** OTLP appends the signal's path to an endpoint. */
function tracesUrl(endpoint: string): string {
  const url = new URL(endpoint);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/v1/traces') ? path : `${path}/v1/traces`;
  return url.href;
}

function parseHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 1 ? [] : [[pair.slice(0, at).trim(), tryPercentDecode(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function tryPercentDecode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Wraps `events` so that the last event of a run ends its trace. */
export function tracedEvents(events: EventLog, traces: Traces): EventLog {
  return {
    async appendOnce(runId, key, event) {
      const number = await events.appendOnce(runId, key, event);
      if (event.type === 'run-completed') traces.ended({ runId }, event.payload.status);
      if (event.type === 'run-failed') traces.ended({ runId }, 'failed');
      return number;
    },
    read: (...asked) => events.read(...asked),
    follow: (...asked) => events.follow(...asked),
    runs: () => events.runs(),
    clearRun: (...asked) => events.clearRun(...asked),
  };
}
