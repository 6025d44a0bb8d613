import { randomBytes } from 'node:crypto';

/** Single values of an installation, which have no time to live. */
export interface SharedValues {
  /** Puts `made` where the stored value is `seen`, or where there is none for null; resolves with what is stored then. */
  exchange(name: string, seen: string | null, made: string): Promise<string>;
}

/** Secrets that all who share a store have in common. Each is made at its first use. */
export interface SecretStore {
  /**
   * The secret in the marks around sources, which nobody who writes a source can guess. It is the same for every process
   * that shares the responses, so that the same question to a model is the same for each.
   */
  promptSecret(): Promise<string>;
}

const SECRET_BYTES = 32;

export function openSecretStore(values: SharedValues): SecretStore {
  return {
    promptSecret: () => values.exchange('prompt-secret', null, randomBytes(SECRET_BYTES).toString('hex')),
  };
}
