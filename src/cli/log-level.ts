import type { Config } from '../config/config';

export function wantsDetails({ logLevel }: Pick<Config, 'logLevel'>): boolean {
  return logLevel === 'debug' || logLevel === 'trace';
}
