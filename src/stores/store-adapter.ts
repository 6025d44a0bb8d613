import type { Stores } from './stores';

/** Of the settings, those that say where data is kept. */
export interface StoreSettings {
  dataDir: string;
}

export interface OpenStoresOptions {
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** One way of keeping data. */
export interface StoreAdapter {
  /** Opens the stores, and makes them where there are none. Rejects with `StoreOpenError` or `StoreFormatError`. */
  open(settings: StoreSettings, options?: OpenStoresOptions): Promise<Stores>;
  /** Whether there are stores already; opens and makes nothing. */
  exist(settings: StoreSettings): Promise<boolean>;
}
