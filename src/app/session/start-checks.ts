import { tmpdir } from 'node:os';
import { status } from '@grpc/grpc-js';
import type { Config } from '../../config/config';
import { environmentNames } from '../../config/setting-names';
import { errorMessage } from '../../platform/error-message';
import { StoreFormatError, StoreOpenError } from '../../stores/errors';
import { openStores } from '../../stores/open-stores';
import type { Stores } from '../../stores/stores';
import { connectClient } from '../../temporal/connect';
import { UnreachableServerError } from '../../temporal/unreachable-server-error';
import { whyUnwritable } from '../health/readiness';
import { StartError } from './start-error';

/** Rejects with `StartError` where the stores cannot be opened. */
export async function openStoresAtStart(config: Config): Promise<Stores> {
  return openStores(config).catch((error: unknown) => {
    const isOfStore = error instanceof StoreOpenError || error instanceof StoreFormatError;
    throw isOfStore ? new StartError(error.message, { cause: error }) : error;
  });
}

/**
 * Tries what requests and runs need: the temporary folder and the stores are written and read back, and the namespace is looked up. Rejects with
 * `StartError`, and with `UnreachableServerError` where the Temporal server does not answer.
 */
export async function checkStart({
  config,
  stores,
  address,
}: {
  config: Config;
  stores: Pick<Stores, 'probe'>;
  address: string;
}): Promise<void> {
  await checkTemporaryFolder();
  try {
    await stores.probe();
  } catch (error) {
    throw new StartError(errorMessage(error), { cause: error });
  }
  await checkNamespace({ ...config.temporal, address });
}

async function checkTemporaryFolder(): Promise<void> {
  const reason = await whyUnwritable(tmpdir());
  if (reason === null) return;
  throw new StartError(
    `The temporary folder ${tmpdir()} cannot be written: ${reason}. Make it writable, or name another one with TMPDIR.`,
  );
}

async function checkNamespace(target: Config['temporal'] & { address: string }): Promise<void> {
  const { namespace, address } = target;
  const { connection } = await connectClient(target);
  try {
    await connection.withDeadline(Date.now() + 5_000, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === status.UNAVAILABLE || code === status.DEADLINE_EXCEEDED)
      throw new UnreachableServerError(address, { cause: error });
    throw new StartError(
      code === status.NOT_FOUND
        ? `The Temporal server at ${address} has no namespace ${JSON.stringify(namespace)}. Make it with ` +
            `"temporal operator namespace create ${namespace}", or name another one with ${environmentNames['temporal.namespace']}.`
        : `The Temporal server at ${address} refuses the namespace ${JSON.stringify(namespace)}: ${errorMessage(error)}.`,
      { cause: error },
    );
  } finally {
    await connection.close();
  }
}
