import { z } from 'zod';
import { KeptToken } from '../contracts/access/token';
import type { SharedValues } from './secret-store';

/** Who may come in over the network, for all processes that share a store. */
export interface AccessStore {
  tokens(): Promise<readonly KeptToken[]>;
  /** Keeps what `change` makes of what is there; it is called again where another process was quicker. */
  change(change: (tokens: readonly KeptToken[]) => readonly KeptToken[]): Promise<void>;
}

const NAME = 'access-tokens';
const Tokens = z.array(KeptToken);

/** All tokens are one value, which is exchanged as a whole: a revoked one is gone for everybody at once. */
export function openAccessStore(values: SharedValues): AccessStore {
  const stored = (): Promise<string> => values.exchange(NAME, null, '[]');
  return {
    tokens: async () => Tokens.parse(JSON.parse(await stored())),
    async change(change) {
      for (let seen = await stored(); ;) {
        const wanted = JSON.stringify(change(Tokens.parse(JSON.parse(seen))));
        const found = await values.exchange(NAME, seen, wanted);
        if (found === wanted) return;
        seen = found;
      }
    },
  };
}
