import type { Secret } from '../platform/secret';
import type { AccessStore } from './access-store';
import type { ContentStatistics, ContentStore } from './content-store';
import type { DerivedStore } from './derived-store';
import type { EventLog } from './event-log';
import type { Leases, ResponseCache } from './response-cache';
import type { ItemKind, RunItems } from './run-items';
import type { SecretStore, SharedValues } from './secret-store';

export interface Ports {
  access: AccessStore;
  content: ContentStore;
  derived: DerivedStore;
  events: EventLog;
  responses: ResponseCache;
  secrets: SecretStore;
}

export interface Stores extends Ports {
  /** Writes a value and reads it back. Throws the error of the store that fails. */
  probe(): Promise<void>;
  /** Waits for writes under way; what comes later is refused. */
  close(): Promise<void>;
}

export interface StoreSettings {
  dataDir: string;
  /** An address as text is for users of the library: settings have it hidden. */
  redis: { url: Secret | string | null; keyPrefix: string; ttlMs: number };
}

export interface OpenedAdapter {
  items(kind: ItemKind): RunItems;
  measureTexts(): Promise<Omit<ContentStatistics, 'retrievals'>>;
  events: EventLog;
  leases: Leases;
  values: SharedValues;
  close(): Promise<void>;
}

/** Raised with every change to the layout of keys or values that older versions would misread. */
export const STORE_FORMAT = 2;

export interface OpenStoresOptions {
  /** Milliseconds since 1970. */
  now?: () => number;
}
