import type { Config } from '../config/config';

/** Whoever looks for a mistake gets the whole log as JSON, and the stacks of unknown errors. */
export function wantsDetails({ logLevel }: Pick<Config, 'logLevel'>): boolean {
  return logLevel === 'debug' || logLevel === 'trace';
}
