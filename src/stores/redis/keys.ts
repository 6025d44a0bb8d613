import { createHash } from 'node:crypto';
import { runKey } from '../run-key';

/** What runs hold: texts, derived values, responses. */
export type ItemKind = 'content' | 'derived' | 'responses';

export const ITEM_KINDS: readonly ItemKind[] = ['content', 'derived', 'responses'];

/**
 * The names of an installation's keys. All of them have one hash tag, `{prefix}`, and so one slot: what runs share (a
 * text that several hold) changes in one script together with what is theirs.
 */
export interface Keys {
  /** The format of everything here. */
  format: string;
  secret(name: string): string;
  /** The set of the runs that have events. */
  runs: string;
  /** Begins the key of each item of a kind: a hash of its value and its holders. */
  itemPrefix(kind: ItemKind): string;
  /** The set of the items of a kind that a run holds. */
  held(kind: ItemKind, runId: string): string;
  /** Begins the key of each run's events. */
  eventsPrefix: string;
  /** A run's events, a stream. */
  events(runId: string): string;
  /** Which keys a run's events have, its generations, and where its log stands: a hash. */
  log(runId: string): string;
  /** Is there while what the run holds has been renewed not long ago. */
  fresh(runId: string): string;
  lease(key: string): string;
  turn(name: string): string;
  slots(name: string): string;
}

export function keysOf(prefix: string): Keys {
  const base = `{${prefix}}`;
  return {
    format: `${base}:format`,
    secret: (name) => `${base}:secret:${digest(name)}`,
    runs: `${base}:runs`,
    itemPrefix: (kind) => `${base}:${kind}:`,
    held: (kind, runId) => `${base}:${kind}-of:${runKey(runId)}`,
    eventsPrefix: `${base}:events:`,
    events: (runId) => `${base}:events:${runKey(runId)}`,
    log: (runId) => `${base}:log:${runKey(runId)}`,
    fresh: (runId) => `${base}:fresh:${runKey(runId)}`,
    lease: (key) => `${base}:lease:${digest(key)}`,
    turn: (name) => `${base}:turn:${digest(name)}`,
    slots: (name) => `${base}:slots:${digest(name)}`,
  };
}

/** A short name for what may be long, and may hold any character. */
export function digest(text: string): string {
  return createHash('sha256').update(JSON.stringify(text)).digest('base64url');
}
