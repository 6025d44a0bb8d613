import type { OutsideSettings } from '../config/schema';
import type { EventLog } from '../stores/event-log';
import { otlpTargets } from './otlp-targets';
import { NO_TRACES, type Traces } from './traces';

/** An export that takes longer is given up, with what it had. */
const EXPORT_MS = 5_000;
/** By then an exporter has given up by itself. */
const GIVEN_UP_MS = 1_000;

export async function openTraces(
  settings: Pick<OutsideSettings, 'telemetry' | 'langfuse'>,
  ports: {
    events: Pick<EventLog, 'read'>;
    version: string;
    /** Gets one line for each place that cannot be told, however often it fails. */
    warn: (message: string) => void;
  },
): Promise<Traces> {
  const targets = otlpTargets(settings);
  if (targets.length === 0) return NO_TRACES;
  const { createOtlpExporter } = await import('./otlp-exporter.js');
  const { createSpanWriter } = await import('./span-writer.js');
  const { createTraces } = await import('./background-traces.js');
  let isClosed = false;
  const warnOnce = (message: (reason: string) => string): ((reason: string) => void) =>
    once((reason) => {
      if (!isClosed) ports.warn(`${message(reason)}; runs go on without. Said once.`);
    });
  const exporters = targets.map((target) => {
    const warn = warnOnce((reason) => `Traces cannot be sent to ${target.name} (${reason})`);
    return { exporter: createOtlpExporter(target, EXPORT_MS, warn), timeoutMs: EXPORT_MS + GIVEN_UP_MS };
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
