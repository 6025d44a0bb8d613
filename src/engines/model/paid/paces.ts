import type { SharedLimits } from '../../../stores/shared-limits';
import { createPace, type Pace, type PaceSettings } from './pace';
import { paidEndpoint } from './paid-call-key';
import { createSharedPace, type PaceListener, type SharedPaceSettings } from './shared-pace';

/** The one pace of this process for each endpoint: whoever asks there, and for whatever, goes through it. */
export interface Paces {
  /** The settings count where the endpoint is asked for the first time. */
  at(baseUrl: string, settings: EndpointLimits): Pace;
}

export type EndpointLimits = Pick<PaceSettings, 'maxConcurrentCalls'> &
  Pick<SharedPaceSettings, 'maxSharedCalls' | 'requestsPerSecond'>;

export function createPaces(limits: SharedLimits, listener?: PaceListener): Paces {
  const paces = new Map<string, Pace>();
  return {
    at(baseUrl, { maxConcurrentCalls, maxSharedCalls, requestsPerSecond }) {
      const endpoint = paidEndpoint(baseUrl);
      const known = paces.get(endpoint);
      if (known !== undefined) return known;
      const shared = createSharedPace({ limits, endpoint, maxSharedCalls, requestsPerSecond });
      const pace = createPace({ maxConcurrentCalls, shared, listener });
      paces.set(endpoint, pace);
      return pace;
    },
  };
}
