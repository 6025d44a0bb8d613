import type { KeptToken } from '../contracts/access/token';

/** Who may come in over the network, for all processes that share a store. */
export interface AccessStore {
  /** Rejects where what is kept is damaged: then nobody can be told from anybody else. */
  tokens(): Promise<readonly KeptToken[]>;
  /** Keeps what `change` makes of what is there; it is asked again where somebody else was quicker. */
  change(change: (tokens: readonly KeptToken[]) => readonly KeptToken[]): Promise<void>;
}
