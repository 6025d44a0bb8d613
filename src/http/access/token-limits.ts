import { randomUUID } from 'node:crypto';
import type { SharedLimits } from '../../stores/shared-limits';
import type { Caller } from '../face';
import { HttpProblem } from '../problem';

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/** Refuses a request beyond those that a token has in any second, at whichever process they come in. One that is refused counts for none. */
export async function requireRate(
  limits: SharedLimits,
  { tokenId, limits: { requestsPerSecond: slots } }: Caller,
): Promise<void> {
  if (slots === undefined) return;
  const isFree = await limits.acquireSlot(`http-requests-${tokenId}`, randomUUID(), {
    slots,
    ttlMs: SECOND_MS,
  });
  if (!isFree) throw tooMany(`This token may ask ${slots} times a second.`, SECOND_MS / 1_000);
}

interface CountedStart<Started> {
  /** Absent where nobody could ask for the same again. */
  runId: string | undefined;
  isThere: (runId: string) => Promise<boolean>;
  start: () => Promise<Started>;
}

/**
 * Starts a run where a token has one left of those of the last 24 hours. The same run counts once; one that was not started, not at
 * all: `isThere` says whether there is one of the id, which a start that is refused does not give back.
 */
export async function countedStart<Started>(
  limits: SharedLimits,
  { tokenId, limits: { runsPerDay: slots } }: Caller,
  { runId, isThere, start }: CountedStart<Started>,
): Promise<Started> {
  if (slots === undefined) return start();
  const name = `http-runs-${tokenId}`;
  const counted = runId ?? randomUUID();
  if (!(await limits.acquireSlot(name, counted, { slots, ttlMs: DAY_MS })))
    throw tooMany(`This token may start ${slots} runs in 24 hours.`);
  try {
    return await start();
  } catch (error) {
    if (runId === undefined || !(await isThere(runId))) await limits.releaseSlot(name, counted);
    throw error;
  }
}

/** Nobody counts what a schedule starts. */
export function requireUncounted({ limits: { runsPerDay } }: Caller): void {
  if (runsPerDay !== undefined)
    throw new HttpProblem(
      403,
      'token-limit',
      `This token may start ${runsPerDay} runs in 24 hours, and have no schedule start any.`,
    );
}

/** The budget of a new run, with what the token lets each cost where less is not asked for. */
export function budgetWithin<Budget extends { maxCostUsd?: number | null | undefined }>(
  caller: Caller,
  asked: Budget | undefined,
): (Budget & { maxCostUsd?: number }) | Budget | { maxCostUsd?: number } | undefined {
  const { maxCostUsd: most } = caller.limits;
  if (most === undefined) return asked;
  if (asked?.maxCostUsd === undefined) return { ...asked, maxCostUsd: most };
  requireCost(caller, asked);
  return asked;
}

/** Refuses a change of a budget by which a run may cost more than the token lets it. */
export function requireCost(
  { limits: { maxCostUsd: most } }: Caller,
  { maxCostUsd: asked }: { maxCostUsd?: number | null | undefined },
): void {
  if (most === undefined || asked === undefined || (asked !== null && asked <= most)) return;
  throw new HttpProblem(403, 'token-limit', `A run of this token may cost ${most} USD at most.`);
}

function tooMany(detail: string, retryAfterS?: number): HttpProblem {
  return new HttpProblem(429, 'too-many-requests', detail, retryAfterS);
}
