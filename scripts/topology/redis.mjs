// Redis on deploy/redis.conf.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { untilReady } from './parts.mjs';

const { Redis } = createRequire(import.meta.url)('ioredis');

export async function startRedis({ parts, folder, program, settings, url }) {
  // With the password in it: a command line can be read by everybody on the machine.
  const file = join(folder, 'redis.conf');
  writeFileSync(file, `${settings.configuration.join('\n')}\n`, { mode: 0o600 });
  const part = parts.start('redis', program, [file], { cwd: join(folder, 'redis') });
  await untilReady(part, () => answers(url));
  return part;
}

async function answers(url) {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.ping()) === 'PONG';
  } catch {
    return false;
  } finally {
    client.disconnect();
  }
}
