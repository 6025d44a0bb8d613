import type { Secret } from '../platform/secret';
import type { KeptPorts } from './kept-ports';
import type { OpenedStore } from './stores';

/** Of the settings, those that say where data is kept. */
export interface StoreSettings {
  dataDir: string;
  /** An address as text is for users of the library: settings have it hidden. */
  redis: { url: Secret | string | null; keyPrefix: string; ttlMs: number };
  postgres: { url: Secret | null; schema: string };
}

export interface OpenStoresOptions {
  /** Milliseconds since 1970. */
  now?: () => number;
  /** Takes what nobody else is told of: that something in the store was damaged. Node's own warnings where it is absent. */
  warn?: (message: string) => void;
}

/** One way of keeping data; `Kept` names the ports that it has. */
export interface StoreAdapter<Kept extends keyof KeptPorts = keyof KeptPorts> {
  /** Opens the stores, and makes them where there are none. Rejects with `StoreOpenError` or `StoreFormatError`. */
  open(settings: StoreSettings, options?: OpenStoresOptions): Promise<Pick<KeptPorts, Kept> & OpenedStore>;
  /** Whether there are stores already; opens and makes nothing. */
  exist(settings: StoreSettings): Promise<boolean>;
}
