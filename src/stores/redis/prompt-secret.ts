import { randomBytes } from 'node:crypto';
import type { SecretStore } from '../secret-store';
import type { Keys } from './keys';
import type { RedisConnection } from './redis-connection';
import { SET_ONCE } from './scripts/limit-scripts';

const SECRET_BYTES = 32;

/** The installation's secret has no time to live. */
export function openSecretStore(connection: RedisConnection, keys: Keys): SecretStore {
  const setOnce = connection.script(SET_ONCE);
  return {
    async promptSecret() {
      const made = randomBytes(SECRET_BYTES).toString('hex');
      const secret = String(await setOnce([keys.promptSecret], [made]));
      if (secret.length < 2 * SECRET_BYTES)
        throw new Error(
          `${keys.promptSecret} in ${connection.where} is not whole: delete that key, and a new one is made. ` +
            'Responses kept so far are asked for anew.',
        );
      return secret;
    },
  };
}
