import { mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { status } from '@grpc/grpc-js';
import { environmentNames } from '../contracts/setting-names';
import { diskErrorText, errorCode, errorMessage } from '../lib/errors';
import { openStores } from '../stores/open-stores';
import { StoreAwayError, StoreFormatError, StoreOpenError } from '../stores/store-errors';
import type { Stores } from '../stores/stores';
import { StartError, UnreachableServerError } from './app-errors';
import type { Config } from './config';
import { connectClient } from './temporal/temporal-connection';

export const ANSWER_TIMEOUT_MS = 3_000;

/** Space for 3 runs over 5,000 sources of 32 KB, which write about 70 MB each: docs/stores.md, "Sizing". */
const MIN_FREE_BYTES = 256 * 1024 * 1024;

/** Caches the result of `find` for `keptMs`. Concurrent callers share one call. */
export function cached<Value>(find: () => Promise<Value>, keptMs: number): () => Promise<Value> {
  let found: Promise<Value> | null = null;
  let foundAt = 0;
  return () => {
    if (found === null || performance.now() - foundAt > keptMs) {
      found = find();
      foundAt = performance.now();
    }
    return found;
  };
}

/** Rejects if `work` takes longer than 3 s. */
export async function withinAnswerTime<Value>(work: Promise<Value>): Promise<Value> {
  const ended = new AbortController();
  const limit = delay(ANSWER_TIMEOUT_MS, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`no answer for ${ANSWER_TIMEOUT_MS / 1_000} s`);
  });
  limit.catch(() => undefined); // the abort below rejects it
  try {
    return await Promise.race([work, limit]);
  } finally {
    ended.abort();
  }
}

/** Problems of stores and disks as sentences. They contain no addresses and paths, because the endpoint is public. */
export async function storageProblems(
  config: Pick<Config, 'dataDir' | 'stores' | 'temporal' | 'http'>,
  stores: Pick<Stores, 'probe'>,
  { takesUploads }: { takesUploads: boolean },
): Promise<string[]> {
  const store = withinAnswerTime(stores.probe()).then(
    () => [],
    (error: unknown) => [storeProblem(error)],
  );
  const isDataLocal = config.stores === 'lmdb' || config.temporal.address === null;
  const reasons = await Promise.all([
    store,
    takesUploads ? folderProblems('temporary folder', tmpdir(), config.http.maxUploadBytes) : [],
    isDataLocal ? folderProblems('data folder', config.dataDir, MIN_FREE_BYTES) : [],
  ]);
  return reasons.flat();
}

async function folderProblems(name: string, folder: string, needed: number): Promise<string[]> {
  const reason = await writeProblem(folder);
  if (reason !== null) return [`The ${name} cannot be written: ${reason}.`];
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= needed) return [];
  return [
    `The disk of the ${name} is nearly full: ${megabytes(free)} MB are free, ${megabytes(needed)} MB are needed.`,
  ];
}

async function writeProblem(folder: string): Promise<string | null> {
  const TEXT = 'colligate';
  try {
    const own = await mkdtemp(join(folder, 'colligate-probe-'));
    try {
      await writeFile(join(own, 'file'), TEXT);
      return (await stat(join(own, 'file'))).size === TEXT.length ? null : 'a file is cut short';
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  } catch (error) {
    return errorCode(error) === 'ENOENT' ? 'there is no such folder' : diskErrorText(error);
  }
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / (1024 * 1024));
}

function storeProblem(error: unknown): string {
  if (error instanceof StoreAwayError) return 'The store does not answer.';
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return `The store cannot be written: ${errorMessage(cause)}.`;
}

export async function openStoresAtStart(config: Config): Promise<Stores> {
  return openStores(config).catch((error: unknown) => {
    const isOfStore = error instanceof StoreOpenError || error instanceof StoreFormatError;
    throw isOfStore ? new StartError(error.message, { cause: error }) : error;
  });
}

/** Rejects with `StartError`, or with `UnreachableServerError` if the Temporal server does not answer. */
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
  const reason = await writeProblem(tmpdir());
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
