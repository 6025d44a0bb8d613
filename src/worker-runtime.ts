import { DefaultLogger, makeTelemetryFilterString, Runtime, type LogEntry } from '@temporalio/worker';
import { pino } from 'pino';
import type { Config } from './config';

/** What is logged of an entry besides its message; all else might carry content of sources. */
const LOGGED_FIELDS = ['workflowId', 'activityType', 'attempt', 'taskQueue', 'durationMs', 'reason'] as const;
const MAX_ERROR_CHARS = 300;

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

let installed = false;

/**
 * Sets up the process's one runtime, once. Signals belong to the command line (decision 19), and the log goes to
 * standard error, because standard output is for results.
 */
export function installRuntime(level: Config['logLevel']): void {
  if (installed) return;
  installed = true;
  const log = pino({ level }, pino.destination({ fd: 2, sync: true }));
  const write = (entry: LogEntry): void => log[LEVELS[entry.level]](loggedFields(entry), entry.message);
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('TRACE', write),
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
    },
  });
}

function loggedFields({ meta = {} }: LogEntry): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of LOGGED_FIELDS) if (meta[name] !== undefined) fields[name] = meta[name];
  if (meta['error'] instanceof Error) {
    const { name, message } = meta['error'];
    fields['error'] = `${name}: ${message.slice(0, MAX_ERROR_CHARS)}`;
  }
  return fields;
}
