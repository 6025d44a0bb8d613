// The Temporal server: its tables, its four services in one process, the namespace.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../checkout.mjs';
import { untilReady } from './parts.mjs';
import { runScript } from './run-script.mjs';

const require = createRequire(import.meta.url);

/** `programs` is the folder of scripts/services/temporal-server.mjs, `cli` the path of `temporal`. */
export async function startTemporal({ parts, folder, programs, cli, settings, logs }) {
  await runScript(settings.schema.script, {
    env: {
      ...settings.schema.environment,
      TEMPORAL_SQL_TOOL: join(programs, 'sql'),
      TEMPORAL_SCHEMA: join(programs, 'schema'),
    },
    log: join(logs, 'temporal-schema.log'),
    signal: parts.stopping,
  });
  const args = ['--root', programs, '--config', 'config', '--env', 'docker', '--allow-no-auth', 'start'];
  const part = parts.start('temporal', join(programs, 'server'), args, {
    cwd: folder,
    env: { ...settings.temporal.environment, LOG_LEVEL: 'warn' },
  });
  const { TEMPORAL_ADDRESS: address } = settings.namespace.environment;
  const { Connection } = require('@temporalio/client');
  await untilReady(part, async () => {
    try {
      const connection = await Connection.connect({ address, connectTimeout: 2_000 });
      await connection.close();
      return true;
    } catch {
      return false;
    }
  });
  await runScript(settings.namespace.script, {
    env: { ...settings.namespace.environment, TEMPORAL_CLI: cli },
    log: join(logs, 'temporal-namespace.log'),
    signal: parts.stopping,
  });
  return part;
}

/** A client of the namespace, as the product makes one. */
export async function connect({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace }) {
  const { connectClient } = require(join(root, 'dist', 'temporal', 'connect.js'));
  return connectClient({ address, namespace, apiKey: null, tls: false });
}
