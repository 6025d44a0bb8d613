import { resolve } from 'node:path';
import type { Client, Connection } from '@temporalio/client';
import type { ColligateClient } from '../client/colligate-client';
import { withLocalModels } from './endpoint/local-engine';
import { loadConfig, type Config } from '../config/config';
import { openStores } from '../stores/open-stores';
import { connectClient } from '../temporal/connect';
import { NoServerError } from '../temporal/no-server-error';
import { dataConverter } from '../temporal/payloads/data-converter';
import { registerSearchAttributes } from '../temporal/register-search-attributes';
import { findServer } from '../temporal/server';
import { clientOver } from './client-over';
import { configuredClient } from './configured-client';

/** What is left out is as the command line has it: from the environment, `colligate.config.json`, or the default. */
export interface OpenColligateOptions {
  /** The Temporal server, `host:port`. Else `TEMPORAL_ADDRESS`, else the server that runs on `dataDir`. */
  address?: string;
  /** The server's namespace of the runs; the default is `default`. */
  namespace?: string;
  /** Where the workers poll; the default is `colligate`. */
  taskQueue?: string;
  /** The folder of the stores, which client and workers share, on a local disk; the default is `.colligate`. */
  dataDir?: string;
}

export interface OpenColligate extends ColligateClient {
  /** Closes the connection and the stores. Runs go on. */
  close(): Promise<void>;
}

/**
 * Connects to a server and opens the stores beside it; starts neither a server nor a worker. Requests have the defaults
 * that the command line has: engine, models, synthesis, budget, patience. Rejects with `NoServerError` where no server is
 * named or runs, with `UnreachableServerError` where it does not answer, with `ConfigError` for a bad setting, and with
 * `StoreOpenError` or `StoreFormatError`; nothing stays open then.
 */
export async function openColligate(options: OpenColligateOptions = {}): Promise<OpenColligate> {
  const config = await withLocalModels(loadConfig(), { mayLoad: false, tell: () => undefined });
  const { namespace = config.temporal.namespace, taskQueue = config.temporal.taskQueue } = options;
  const dataDir = resolve(options.dataDir ?? config.dataDir);
  const address = options.address ?? config.temporal.address ?? (await addressOfFolder(dataDir));
  const { connection, client } = await connectClient(
    { ...config.temporal, address, namespace },
    { dataConverter: dataConverter(config) },
  );
  try {
    return await overConnection({ config, connection, client, taskQueue, dataDir });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function addressOfFolder(dataDir: string): Promise<string> {
  const running = await findServer(dataDir);
  if (running !== null) return running.address;
  throw new NoServerError(
    `No Temporal server runs for ${dataDir}. Start one with "colligate dev", or name one by its address.`,
  );
}

async function overConnection(opened: {
  config: Config;
  connection: Connection;
  client: Client;
  taskQueue: string;
  dataDir: string;
}): Promise<OpenColligate> {
  const { config, connection, client, taskQueue, dataDir } = opened;
  const stores = await openStores({ ...config, dataDir });
  return {
    ...configuredClient(clientOver(config, { client, taskQueue, stores }), config, () =>
      registerSearchAttributes(connection, client.options.namespace).then(({ available }) => available),
    ),
    async close() {
      try {
        await stores.close();
      } finally {
        await connection.close();
      }
    },
  };
}
