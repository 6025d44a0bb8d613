import type { Writable } from 'node:stream';
import { DefaultLogger, makeTelemetryFilterString, Runtime, type LogEntry } from '@temporalio/worker';
import { SdkComponent } from '@temporalio/common';
import { pino } from 'pino';
import type { Config } from '../../config/config';
import { keepHeapsLean } from '../../platform/lean-heaps';

/** What is logged of an entry besides its message; all else might carry content of sources. */
const LOGGED_FIELDS = [
  ...['workflowId', 'activityType', 'attempt', 'taskQueue', 'durationMs', 'reason'],
  ...['runId', 'pass', 'phase', 'step', 'model', 'inputTokens', 'outputTokens'],
  ...['artifacts', 'totalChars', 'requested', 'found', 'missing', 'citations', 'coverage'],
];
const MAX_ERROR_CHARS = 300;

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Takes the log of the newest worker; null before the first. */
let write: ((entry: LogEntry) => void) | null = null;

export type SayLogLine = (line: string) => void;
/** Where the log goes: plain lines to a function, JSON to a stream. */
export type WorkerLog = SayLogLine | Writable;

/**
 * Sets up the process's one runtime, once. Signals belong to the command line (decision 19), and the log goes to
 * standard error where `log` is absent, because standard output is for results.
 */
export function installRuntime(level: Config['logLevel'], log?: WorkerLog): void {
  const isInstalled = write !== null;
  write = typeof log === 'function' ? sayPlainly(level, log) : writeJson(level, log);
  if (isInstalled) return;
  keepHeapsLean();
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('TRACE', (entry) => write?.(entry)),
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
    },
  });
}

function writeJson(level: Config['logLevel'], stream?: Writable): (entry: LogEntry) => void {
  const log = pino({ level }, stream ?? pino.destination({ fd: 2, sync: true }));
  return (entry) => log[LEVELS[entry.level]](loggedFields(entry), entry.message);
}

/** States of the worker are no news to people, and of a server that is away the command line tells itself. */
function sayPlainly(level: Config['logLevel'], say: SayLogLine): (entry: LogEntry) => void {
  const shown = new Set(
    level === 'silent' || level === 'fatal' ? [] : level === 'error' ? ['ERROR'] : ['WARN', 'ERROR'],
  );
  return (entry) => {
    if (!shown.has(entry.level) || entry.meta?.['sdkComponent'] === SdkComponent.core) return;
    const fields = Object.entries(loggedFields(entry)).map(([name, value]) => `${name} ${String(value)}`);
    say(fields.length === 0 ? entry.message : `${entry.message} (${fields.join(', ')})`);
  };
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
