import type { ContentStore } from './content-store';
import type { EventLog } from './event-log';
import type { ResponseCache } from './response-cache';

/** The three stores of one data folder or server. `close` waits for writes under way; what comes later is refused. */
export interface Stores {
  content: ContentStore;
  events: EventLog;
  responses: ResponseCache;
  close(): Promise<void>;
}
