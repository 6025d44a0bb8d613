import type { RedisPart } from './redis-part';
import type { Stand } from './stand';

/** All that is disturbed. */
export interface Installation {
  stand: Stand;
  redis: RedisPart;
  /** How often each part was killed. */
  kills: Map<string, number>;
}
