import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../config/config';
import type { Tell } from './news';
import { takeServerAlong } from './take-server-along';

export type Close = () => Promise<void>;

/** Without a server nobody takes what is under way, so it is not waited for longer; the stores survive that. */
const LEAVE_WITHOUT_SERVER_MS = 3_000;

/**
 * Closes what was opened, the last first; where the server is away, what waits for it is left, and the server with it.
 * Everything is tried; then the first failure is thrown.
 */
export async function closeAll(
  opened: readonly Close[],
  { serverIsThere, config, tell }: { serverIsThere: boolean; config: Pick<Config, 'dataDir'>; tell: Tell },
): Promise<void> {
  if (serverIsThere) await closeEach(opened);
  else if (!(await closeWithoutServer(opened))) takeServerAlong(config, tell);
}

/** False where something waits for the server. */
async function closeWithoutServer(opened: readonly Close[]): Promise<boolean> {
  return Promise.race([
    closeEach(opened).then(
      () => true,
      () => true,
    ),
    delay(LEAVE_WITHOUT_SERVER_MS, false),
  ]);
}

async function closeEach(opened: readonly Close[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of opened.toReversed()) {
    try {
      await close();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
