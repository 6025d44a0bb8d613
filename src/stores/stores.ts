import type { ContentStore } from './content-store';
import type { DerivedStore } from './derived-store';
import type { EventLog } from './event-log';
import type { ResponseCache } from './response-cache';
import type { SecretStore } from './secret-store';

/** The stores of one data folder or server. `close` waits for writes under way; what comes later is refused. */
export interface Stores {
  content: ContentStore;
  derived: DerivedStore;
  events: EventLog;
  responses: ResponseCache;
  secrets: SecretStore;
  close(): Promise<void>;
}
