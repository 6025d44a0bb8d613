import { randomBytes } from 'node:crypto';
import type { TellDamage } from './damage-warnings';
import type { KeptSecrets } from './kept-ports';
import { entryName, sealed, unsealed } from './seal';
import type { SecretStore } from './secret-store';

const SECRET_BYTES = 32;
const PROMPT_SECRET = 'prompt-secret';

/** Secrets over a store that keeps bytes: one that is not whole is made anew, which costs what was asked with it. */
export function sealedSecretStore(kept: KeptSecrets, tell: TellDamage): SecretStore {
  return {
    async promptSecret() {
      const made = sealed('secret', PROMPT_SECRET, randomBytes(SECRET_BYTES));
      const damaged: Uint8Array[] = [];
      const envelope = await kept.settle(entryName(PROMPT_SECRET), made, (found) => {
        const isWhole = unsealed('secret', PROMPT_SECRET, found) !== null;
        if (!isWhole) damaged.push(found);
        return isWhole;
      });
      if (damaged.length > 0) await tell({ kind: 'secret', keys: [PROMPT_SECRET], runId: null });
      return Buffer.from(unsealed('secret', PROMPT_SECRET, envelope) ?? made).toString('hex');
    },
  };
}
