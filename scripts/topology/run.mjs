// From nothing to a topology that has made its report, and to nothing again.
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../checkout.mjs';
import { demonstrate } from './demonstration.mjs';
import { openFolder, SECRETS, secretsIn } from './folder.mjs';
import { findPrograms, startInstallation } from './installation.mjs';
import { namedPorts, partSettings, PORT_COUNT } from './part-settings.mjs';
import { createParts } from './parts.mjs';
import { tellEnvironment, tellMemory, tellStarted } from './told.mjs';
import { versionsOf } from './versions.mjs';
import { startWorker } from './worker.mjs';

const require = createRequire(import.meta.url);

/** What each part would be given, as JSON, with names in the place of secrets. */
export function printSettings() {
  const secrets = Object.fromEntries(SECRETS.map((name) => [name, `<${name}>`]));
  const settings = partSettings({ secrets, models: {}, ports: namedPorts(20_000), folder: '<folder>' });
  process.stdout.write(`${JSON.stringify(settings, null, 2)}\n`);
}

export async function runTopology({ options, say, stop }) {
  const { loadConfig } = require(join(root, 'dist', 'config', 'config.js'));
  const config = loadConfig();
  const programs = await stop.orStopped(findPrograms({ config, say, signal: stop.signal }));
  const { folder, isKept } = openFolder(options.folder);
  const parts = createParts({ logs: join(folder, 'logs'), failed: stop.fail });
  try {
    const { cacheDir } = config;
    await stop.orStopped(use({ options, parts, folder, programs, cacheDir, say, stop }));
  } finally {
    await parts.stopAll();
    if (!isKept) rmSync(folder, { recursive: true, force: true });
    say(isKept ? `Stopped everything; its files are in ${folder}` : 'Stopped everything');
  }
}

async function use({ options, parts, folder, programs, cacheDir, say, stop }) {
  const ports = namedPorts(await freePorts());
  const settings = partSettings({ secrets: secretsIn(folder), models: modelsHere(), ports, folder });
  const versions = await versionsOf(programs);
  const { TEMPORAL_ADDRESS } = settings.client.environment;
  const addresses = { postgres: `127.0.0.1:${ports.postgres}`, redis: `127.0.0.1:${ports.redis}` };
  const started = (part, ms) =>
    tellStarted(part, {
      ms,
      version: versions[part.name],
      address: addresses[part.name] ?? part.healthUrl ?? TEMPORAL_ADDRESS,
    });
  const workers = await startInstallation({ parts, folder, programs, settings, cacheDir, started });
  tellMemory(parts.running(), 'before the first run');
  const killed = await demonstrate({ parts, folder, settings: settings.client, workers, cacheDir, say });
  tellMemory(parts.running(), 'after the run');
  if (!options.keep) return;
  // As what supervises workers does.
  const number = workers.indexOf(killed) + 1;
  const startedAt = performance.now();
  const again = await startWorker({ parts, folder, number, settings: settings.worker, cacheDir });
  started(again, performance.now() - startedAt);
  tellEnvironment(settings.client.environment, folder);
  stop.want();
  await new Promise(() => undefined);
}

/** What compose takes from .env of the endpoint. */
function modelsHere() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(OPENAI_|COLLIGATE_MODEL_)/.test(name)),
  );
}

/** The first of as many loopback ports as there are, from below the range that systems give to outgoing connections. */
async function freePorts() {
  const { arePortsFree } = require(join(root, 'dist', 'temporal', 'free-ports.js'));
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    if (await arePortsFree(Array.from({ length: PORT_COUNT }, (_, index) => first + index))) return first;
  }
}
