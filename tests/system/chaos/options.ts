import { parseArgs } from 'node:util';

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
    seed: number('seed', values.seed, 0),
    kills: number('kills', values.kills ?? (values.short ? '6' : '24'), 0),
    fillUps: values.short ? 1 : 2,
    only: values.round === undefined ? null : number('round', values.round, 1),
    limitMs: number('limit', values.limit, 1) * 60_000,
  };
}

function number(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least)
    throw new Error(`--${name} is "${text}"; a whole number from ${least} on is allowed`);
  return value;
}
