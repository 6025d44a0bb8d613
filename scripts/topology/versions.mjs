// Which programs these are, by their own word.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readFileSync } from 'node:fs';
import { root } from '../checkout.mjs';

export async function versionsOf({ postgres, redis, temporal }) {
  const said = async (program, args) => (await promisify(execFile)(program, args)).stdout;
  const number = (text) => /\d+(\.\d+)+/.exec(text)?.[0] ?? 'of no version';
  const colligate = `Colligate ${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}`;
  return {
    postgres: `PostgreSQL ${number(await said(join(postgres, 'postgres'), ['--version']))}`,
    redis: `Redis ${number(await said(redis, ['--version']))}`,
    temporal: `Temporal ${number(await said(join(temporal, 'server'), ['--version']))}`,
    'worker 1': colligate,
    'worker 2': colligate,
  };
}
