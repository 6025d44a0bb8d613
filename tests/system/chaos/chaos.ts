import { randomFrom } from '../../support/random';
import type { RunRecord } from '../durability/run-log';
import type { Disturbed } from './disturb';
import type { Installation } from './installation';
import { readOptions } from './options';
import { planRounds } from './plan';
import type { PlannedRun } from './planned-runs';
import { brokenPromises, recordOf } from './promises';
import { startRedisPart } from './redis-part';
import { repeatedCalls } from './repeated-calls';
import { carryOutRound, type RoundOutcome } from './rounds';
import { openStand } from './stand';
import { tableOf } from './table';

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** So that neither of two workers can have all the calls of a pass. */
const CALLS_A_WORKER = 2;
/** Each of the four parts has at least one kill in so many. */
const LEAST_SHARE = 5;
/** How often what a run's end forestalled is planned again. */
const FURTHER_ROUNDS = 4;

async function main(): Promise<void> {
  const { seed, kills, fillUps, only, limitMs } = readOptions(process.argv.slice(2));
  const rounds = planRounds(randomFrom(seed), { kills, fillUps });
  say(`seed ${seed}: ${kills} kills in ${rounds.length} rounds`);
  const redis = await startRedisPart();
  const stores = { COLLIGATE_STORES: 'redis', REDIS_URL: redis.url };
  const stand = await openStand({ workers: ['worker-a', 'worker-b'], stores, calls: CALLS_A_WORKER });
  const installation: Installation = { stand, redis, kills: new Map() };
  const outcomes: RoundOutcome[] = [];
  const close = async (): Promise<void> => {
    await stand.close();
    await redis.close();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void close().finally(() => process.exit(130)));
  try {
    for (let at = 0; at < Math.min(rounds.length, kills + fillUps + FURTHER_ROUNDS); at += 1) {
      const round = rounds[at];
      if (round === undefined) break;
      if (only !== null && at + 1 !== only) continue;
      const tell = (line: string): void => say(`round ${at + 1} (${round.engine}): ${line}`);
      const outcome = await carryOutRound(installation, { ...round, number: at + 1, limitMs, tell });
      outcomes.push(outcome);
      if (outcome.missed.length > 0) rounds.push({ engine: round.engine, disturbances: outcome.missed });
      tell(outcome.runs.map(({ watched, status }) => `${watched.runId} ${status}`).join(', '));
    }
    const runs = outcomes.flatMap((outcome) => outcome.runs);
    const disturbed: Disturbed[] = outcomes.flatMap((outcome) => outcome.disturbed);
    say(`the same ${runs.length} runs undisturbed…`);
    const models = await undisturbed(
      runs.map(({ watched }) => watched),
      limitMs,
    );
    const repeated = repeatedCalls(stand.model.calls, disturbed);
    const parts = [...stand.workers.map(({ name }) => name), 'redis', 'server'];
    repeated.whileAway.forEach((call) =>
      say(`answered while Redis took no writes, and asked again: ${call}`),
    );
    const done = disturbed.filter(({ isKill }) => isKill).length;
    const broken = [
      ...(only !== null || done === kills ? [] : [`${done} of ${kills} kills could be done`]),
      ...parts.flatMap((part) => {
        const times = installation.kills.get(part) ?? 0;
        const isEnough = only !== null || times >= Math.floor(kills / LEAST_SHARE);
        return isEnough ? [] : [`${part} was killed ${times} times only`];
      }),
      ...repeated.unexplained,
      ...outcomes.flatMap(({ stuck }) => stuck),
      ...stand.workers.flatMap(({ name, hasEnded, said }) =>
        hasEnded ? [`${name} ended by itself, and said: ${said}`] : [],
      ),
    ];
    for (const { watched, status } of runs) {
      const model = models.get(watched.runId);
      if (model === undefined) throw new Error(`${watched.runId} left no report undisturbed`);
      const problems = await brokenPromises(stand, watched, status, model);
      broken.push(...problems.map((problem) => `${watched.runId}: ${problem}`));
    }
    tableOf({ disturbed, runs, calls: stand.model.calls, repeated }).forEach(print);
    broken.forEach((problem) => print(`BROKEN ${problem}`));
    if (broken.length > 0) process.exitCode = 1;
  } finally {
    await close();
  }
}

/** What the same runs leave with one worker that nobody disturbs, on stores of its own. */
async function undisturbed(runs: readonly PlannedRun[], limitMs: number): Promise<Map<string, RunRecord>> {
  const stand = await openStand({ workers: ['undisturbed'], calls: 8 });
  try {
    const records = new Map<string, RunRecord>();
    for (const planned of runs) {
      const run = await stand.start(planned);
      await run.waitUntilClosed({ signal: AbortSignal.timeout(limitMs) });
      const record = await recordOf(stand, planned.runId);
      if (record !== null) records.set(planned.runId, record);
    }
    return records;
  } finally {
    await stand.close();
  }
}

main().catch((error: unknown) => {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
});
