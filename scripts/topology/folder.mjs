// The folder in which the parts keep their files, and the passwords with which they were made.
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The secrets of deploy/example.env. */
export const SECRETS = [
  'POSTGRES_PASSWORD',
  'TEMPORAL_POSTGRES_PASSWORD',
  'COLLIGATE_POSTGRES_PASSWORD',
  'REDIS_PASSWORD',
];

/** `isKept` where somebody named it. Another user, as whom PostgreSQL may run, can come through it and read nothing. */
export function openFolder(named) {
  const folder =
    named === null ? mkdtempSync(join(realpathSync(tmpdir()), 'colligate-topology-')) : resolve(named);
  for (const part of ['', 'logs', 'redis', 'worker-1', 'worker-2', 'client', 'undisturbed'])
    mkdirSync(join(folder, part), { recursive: true });
  chmodSync(folder, 0o711);
  return { folder, isKept: named !== null };
}

export function secretsIn(folder) {
  const file = join(folder, 'secrets.json');
  if (!existsSync(file)) {
    const secrets = Object.fromEntries(SECRETS.map((name) => [name, randomBytes(24).toString('hex')]));
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}
