import { createPace, type Pace } from '../../../src/engines/model/paid/pace';
import type { SharedPace } from '../../../src/engines/model/paid/shared-pace';

const NOTHING_SHARED: SharedPace = { enter: () => Promise.resolve(() => Promise.resolve()) };

/** The pace of a process that shares no limits with others. */
export function unsharedPace(maxConcurrentCalls: number): Pace {
  return createPace({ maxConcurrentCalls, shared: NOTHING_SHARED });
}
