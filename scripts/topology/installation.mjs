// All parts, started in their order, with what of them can be measured.
import { dirname } from 'node:path';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../checkout.mjs';
import { findPostgres, findRedisServer } from '../services/services.mjs';
import { findTemporalServer } from '../services/temporal-server.mjs';
import { startPostgres } from './postgres.mjs';
import { startRedis } from './redis.mjs';
import { startTemporal } from './temporal.mjs';
import { startWorker } from './worker.mjs';

const require = createRequire(import.meta.url);

/** The programs of all parts; what is missing is got first. Rejects with what cannot be had, and why. */
export async function findPrograms({ config, say, signal }) {
  const { findServerBinary } = require(join(root, 'dist', 'temporal', 'find-server-binary.js'));
  // What may be missing for good is looked for first.
  const temporal = await findTemporalServer({ config, say, signal });
  const [postgres, redis] = [await findPostgres({ config, say }), await findRedisServer({ config, say })];
  for (const { reason } of [postgres, redis]) if (reason !== null) throw new Error(`${reason}.`);
  const { path: cli } = await findServerBinary({ ...config, tell: say });
  return { temporal, cli, postgres: dirname(postgres.path), redis: redis.path };
}

/** `started` hears of each part when it is ready, and how long that took, with what prepares it. */
export async function startInstallation({ parts, folder, programs, settings, cacheDir, started }) {
  const logs = join(folder, 'logs');
  const { REDIS_URL: url } = settings.client.environment;
  const { temporal, cli } = programs;
  const worker = (number) => () =>
    startWorker({ parts, folder, number, settings: settings.worker, cacheDir });
  const ready = [];
  for (const start of [
    () =>
      startPostgres({
        parts,
        folder,
        logs,
        bin: programs.postgres,
        settings: settings.postgres,
        databases: settings.databases,
      }),
    () => startRedis({ parts, folder, program: programs.redis, settings: settings.redis, url }),
    () => startTemporal({ parts, folder, logs, programs: temporal, cli, settings }),
    worker(1),
    worker(2),
  ]) {
    const startedAt = performance.now();
    const part = await start();
    started(part, performance.now() - startedAt);
    ready.push(part);
  }
  return ready.slice(-2);
}
