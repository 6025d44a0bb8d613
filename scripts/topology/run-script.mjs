// The scripts of deploy/, which prepare parts for others.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { basename } from 'node:path';
import { cleanEnvironment } from './parts.mjs';

const LIMIT_MS = 180_000;

/** Rejects with the last line of what it said. */
export async function runScript(script, { env, log, signal }) {
  const child = spawn('sh', [script], {
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
    signal,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (said += text));
  const [code, endedBy] = await once(child, 'close');
  appendFileSync(log, said, { mode: 0o600 });
  if (code === 0) return;
  throw new Error(
    `${basename(script)} ended with ${code ?? endedBy}: ${said.trim().split('\n').at(-1) || 'it said nothing'}`,
  );
}
