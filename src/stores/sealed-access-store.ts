import { z } from 'zod';
import { KeptToken } from '../contracts/access/token';
import type { KeptSecrets } from './kept-ports';
import { entryName, sealed, unsealed } from './seal';
import type { AccessStore } from './access-store';

const TOKENS = 'access-tokens';
const Kept = z.array(KeptToken);

/** All tokens are one entry, which is exchanged as a whole: a revoked one is gone for everybody at once. */
export function sealedAccessStore(kept: KeptSecrets): AccessStore {
  const entryOf = (tokens: readonly KeptToken[]): Uint8Array =>
    sealed('secret', TOKENS, Buffer.from(JSON.stringify(tokens)));
  const settle = (made: readonly KeptToken[], isWhole: (found: Uint8Array) => boolean): Promise<Uint8Array> =>
    kept.settle(entryName(TOKENS), entryOf(made), isWhole);
  return {
    async tokens() {
      return tokensIn(await settle([], () => true));
    },
    async change(change) {
      let seen = await settle([], () => true);
      for (;;) {
        const wanted = change(tokensIn(seen));
        const found = await settle(wanted, (other) => !Buffer.from(other).equals(seen));
        if (Buffer.from(found).equals(entryOf(wanted))) return;
        seen = found;
      }
    },
  };
}

function tokensIn(entry: Uint8Array): readonly KeptToken[] {
  const value = unsealed('secret', TOKENS, entry);
  if (value === null)
    throw new Error(
      'The list of access tokens is damaged, so nobody can be let in. Put the store back from a copy, or make the tokens anew in an empty one.',
    );
  return Kept.parse(JSON.parse(Buffer.from(value).toString('utf8')));
}
