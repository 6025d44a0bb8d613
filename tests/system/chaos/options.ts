import { parseArgs } from 'node:util';
import { numberOption } from '../../support/kills/measuring-script';

export interface ChaosOptions {
  seed: number;
  kills: number;
  /** How many rounds Redis is restarted and filled up in. */
  fillUps: number;
  /** The only round that is carried out; null for all. */
  only: number | null;
  /** How long a run may take. */
  limitMs: number;
}

/** `--short` is for CI: few kills, still over every part. */
export function readOptions(args: readonly string[]): ChaosOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      kills: { type: 'string' },
      round: { type: 'string' },
      limit: { type: 'string', default: '15' },
      short: { type: 'boolean', default: false },
    },
  });
  return {
    seed: numberOption('seed', values.seed, 0),
    kills: numberOption('kills', values.kills ?? (values.short ? '6' : '24'), 0),
    fillUps: values.short ? 1 : 2,
    only: values.round === undefined ? null : numberOption('round', values.round, 1),
    limitMs: numberOption('limit', values.limit, 1) * 60_000,
  };
}
