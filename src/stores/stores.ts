import type { AccessStore } from './access-store';
import type { ContentStore } from './content-store';
import type { DerivedStore } from './derived-store';
import type { EventLog } from './event-log';
import type { ResponseCache } from './response-cache';
import type { SecretStore } from './secret-store';
import type { SharedLimits } from './shared-limits';

/** What is kept, each behind a port of its own. */
export interface Ports {
  access: AccessStore;
  content: ContentStore;
  derived: DerivedStore;
  events: EventLog;
  responses: ResponseCache;
  secrets: SecretStore;
  limits: SharedLimits;
}

/** What an operator should know of a store: an `error` loses data or refuses work, a `warning` may. */
export interface StoreFinding {
  level: 'error' | 'warning';
  /** What is the matter and what to do about it, in a sentence or two. */
  message: string;
}

/** What is open, whichever ports it keeps. */
export interface OpenedStore {
  /** Whether it is set up so that nothing is lost; empty where it is. Rejects where it cannot be reached. */
  examine(): Promise<StoreFinding[]>;
  /** Waits for writes under way; what comes later is refused. */
  close(): Promise<void>;
}

/** The stores of one installation. */
export interface Stores extends Ports, OpenedStore {}
