/** Secrets that all who share a store have in common. Each is made at its first use. */
export interface SecretStore {
  /**
   * What marks around sources are made with, so that nobody who writes a source can guess them. It is the same for every
   * process that shares the responses, so that the same question to a model is the same for each. Rejects where it is
   * damaged, with what to do about it.
   */
  promptSecret(): Promise<string>;
}
