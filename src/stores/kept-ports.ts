import type { ResponseCache } from './response-cache';
import type { Ports } from './stores';

/**
 * What an adapter keeps: the ports, with bytes in the place of what is sealed. It looks at none of these bytes. Where something
 * lies at a name that it cannot have put there, it gives out no bytes at all, which no seal fits.
 */
export interface KeptPorts extends Omit<Ports, 'access' | 'responses' | 'secrets'> {
  responses: KeptResponses;
  secrets: KeptSecrets;
}

export interface KeptResponses extends Omit<ResponseCache, 'get' | 'put'> {
  /** The bytes, or null where there are none or their time to live is over. Makes `runId` a holder of what it returns. */
  get(runId: string, name: string): Promise<Uint8Array | null>;
  /** Resolves when the bytes are on disk, in the place of what was there. */
  put(runId: string, name: string, value: Uint8Array, options: { ttlMs: number }): Promise<void>;
}

export interface KeptSecrets {
  /**
   * What is there under the name where `isWhole` says so of it, else `made`, which stands in its place from then on. Whoever
   * asks at the same time gets the same.
   */
  settle(name: string, made: Uint8Array, isWhole: (kept: Uint8Array) => boolean): Promise<Uint8Array>;
}
