import type { OpenStoresOptions, Stores } from '../../src/stores/stores';

/** What a contract suite needs of an adapter: the same data through as many connections as it likes. */
export interface StoresUnderTest {
  /** A further connection to the same data, as another process would have it; `dispose` closes it. */
  connect(options?: OpenStoresOptions): Promise<Stores>;
  dispose(): Promise<void>;
}

export type PrepareStores = () => Promise<StoresUnderTest>;

/** Stores of their own for each test of a suite, which go with it. */
export function useStores<Fixture extends StoresUnderTest>(
  prepare: () => Promise<Fixture>,
  options?: OpenStoresOptions,
): { fixture: Fixture; stores: Stores } {
  // Both are filled before each test.
  const [fixture, stores] = [{} as Fixture, {} as Stores];
  beforeEach(async () => {
    Object.assign(fixture, await prepare());
    Object.assign(stores, await fixture.connect(options));
  });
  afterEach(() => fixture.dispose());
  return { fixture, stores };
}
