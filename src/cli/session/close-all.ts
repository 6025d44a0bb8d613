import { setTimeout as delay } from 'node:timers/promises';

/** Without a server nobody takes what is under way, so it is not waited for longer; the stores survive that. */
const LEAVE_WITHOUT_SERVER_MS = 3_000;

/** As `closeAll`, for when the server is away: what waits for it is left. False where something was. */
export async function closeWithoutServer(opened: readonly (() => Promise<void>)[]): Promise<boolean> {
  return Promise.race([
    closeAll(opened).then(
      () => true,
      () => true,
    ),
    delay(LEAVE_WITHOUT_SERVER_MS, false),
  ]);
}

/** Closes what was opened, the last first. Everything is tried; then the first failure is thrown. */
export async function closeAll(opened: readonly (() => Promise<void>)[]): Promise<void> {
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
