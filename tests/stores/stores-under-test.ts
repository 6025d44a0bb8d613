import type { Stores } from '../../src/stores/stores';

/** What a contract suite needs of an adapter: the same data through as many connections as it likes. */
export interface StoresUnderTest {
  /** A further connection to the same data, as another process would have it; `dispose` closes it. */
  connect(options?: { now?: () => number }): Promise<Stores>;
  dispose(): Promise<void>;
}

export type PrepareStores = () => Promise<StoresUnderTest>;
