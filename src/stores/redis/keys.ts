import { digest } from '../digest';
import type { ItemKind } from '../run-items';
import { runKey } from '../run-key';

/**
 * The names of an installation's keys. All of them have one hash tag, `{prefix}`, and so one slot: a
 * script changes several of them together.
 */
export interface Keys {
  format: string;
  value(name: string): string;
  /** The set of the runs that have events. */
  runs: string;
  /** Begins the key of each item of a kind: a hash of each run's copy. */
  itemPrefix(kind: ItemKind): string;
  /** The set of the items of a kind that a run has. */
  itemsOf(kind: ItemKind, runId: string): string;
  /** Begins the key of each run's events. */
  eventsPrefix: string;
  /** A run's events, a stream. */
  events(runId: string): string;
  /** Which keys a run's events have, its generations, and where its log stands: a hash. */
  log(runId: string): string;
  lease(key: string): string;
}

export function keysOf(prefix: string): Keys {
  const base = `{${prefix}}`;
  return {
    format: `${base}:format`,
    value: (name) => `${base}:value:${name}`,
    runs: `${base}:runs`,
    itemPrefix: (kind) => `${base}:${kind}:`,
    itemsOf: (kind, runId) => `${base}:${kind}-of:${runKey(runId)}`,
    eventsPrefix: `${base}:events:`,
    events: (runId) => `${base}:events:${runKey(runId)}`,
    log: (runId) => `${base}:log:${runKey(runId)}`,
    lease: (key) => `${base}:lease:${digest(key)}`,
  };
}
