/** The ports of which each may have a store of its own. Secrets and shared limits are where responses are. */
export const STORE_PORTS = ['content', 'derived', 'events', 'responses'] as const;
export type StorePort = (typeof STORE_PORTS)[number];

/** What each kind of store keeps. */
const PORTS_OF_KINDS = {
  /** Files in the data folder, for processes of one machine. */
  lmdb: STORE_PORTS,
  /** A Redis server, for workers on many machines. */
  redis: STORE_PORTS,
  /** A PostgreSQL database: what is large and need not be in memory. */
  postgres: ['content', 'derived'],
} as const satisfies Record<string, readonly StorePort[]>;

export type StoreKind = keyof typeof PORTS_OF_KINDS;

/** The kinds that keep the port. */
type KindOf<Port extends StorePort> = {
  [Kind in StoreKind]: Port extends (typeof PORTS_OF_KINDS)[Kind][number] ? Kind : never;
}[StoreKind];

export type GeneralStoreKind = KindOf<'events'>;

/** The kinds of stores that a port may have. */
export function storeKindsOf<Port extends StorePort>(port: Port): [KindOf<Port>, ...KindOf<Port>[]] {
  const kinds = Object.entries(PORTS_OF_KINDS)
    .filter(([, ports]: [string, readonly StorePort[]]) => ports.includes(port))
    .map(([kind]) => kind);
  return kinds as [KindOf<Port>, ...KindOf<Port>[]]; // lmdb keeps every port
}
