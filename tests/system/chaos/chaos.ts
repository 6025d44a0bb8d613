import { carryOut, closedOnSignals, print, say } from '../../support/kills/measuring-script';
import { openAll } from '../../support/kills/open-all';
import { finishedRecord, type RunRecord } from '../../support/kills/run-record';
import { randomFrom } from '../../support/random';
import { startRedisServer } from '../../support/services/redis-server';
import type { Disturbed } from './disturb';
import { materialOf, openInstallation, type KillableInstallation } from './installation';
import { readOptions } from './options';
import { planRounds } from './plan';
import { brokenPromises } from './promises';
import { repeatedCalls } from './repeated-calls';
import { carryOutRound, type RoundOutcome } from './rounds';
import { tableOf } from './table';
import type { PlannedRun } from './watched-run';

/** So that neither of two workers can have all the calls of a pass. */
const CALLS_A_WORKER = 2;
/** Each of the four parts has at least one kill in so many. */
const LEAST_SHARE = 5;
/** How often what a run's end forestalled is planned again. */
const FURTHER_ROUNDS = 4;

async function main(): Promise<boolean> {
  const { seed, kills, fillUps, only, limitMs } = readOptions(process.argv.slice(2));
  const rounds = planRounds(randomFrom(seed), { kills, fillUps });
  say(`seed ${seed}: ${kills} kills in ${rounds.length} rounds`);
  const installation = await closedOnSignals(openKillable());
  const { bench, model, workers } = installation;
  const outcomes: RoundOutcome[] = [];
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
    const expected = await undisturbed(
      runs.map(({ watched }) => watched),
      limitMs,
    );
    const repeated = repeatedCalls(model.calls, disturbed);
    const parts = [...workers.map(({ name }) => name), 'redis', 'server'];
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
      ...workers.flatMap(({ name, hasEnded, said }) =>
        hasEnded ? [`${name} ended by itself, and said: ${said}`] : [],
      ),
    ];
    for (const { watched, status } of runs) {
      const record = expected.get(watched.runId);
      if (record === undefined) throw new Error(`${watched.runId} left no report undisturbed`);
      const problems = await brokenPromises(bench, watched, status, record);
      broken.push(...problems.map((problem) => `${watched.runId}: ${problem}`));
    }
    tableOf({ disturbed, runs, calls: model.calls, repeated }).forEach(print);
    broken.forEach((problem) => print(`BROKEN ${problem}`));
    return broken.length === 0;
  } finally {
    await installation.close();
  }
}

/** Two workers on a Redis of their own that loses nothing it acknowledged. */
function openKillable(): Promise<KillableInstallation> {
  return openAll(async (atClose) => {
    const redis = await startRedisServer(['--maxmemory-policy', 'noeviction']);
    atClose(() => redis.stop());
    const opened = await openInstallation({
      workers: ['worker-a', 'worker-b'],
      stores: { COLLIGATE_STORES: 'redis', REDIS_URL: redis.url },
      calls: CALLS_A_WORKER,
    });
    atClose(() => opened.close());
    return { ...opened, redis, kills: new Map<string, number>() };
  });
}

/** What the same runs leave with one worker that nobody disturbs, on stores of its own. */
async function undisturbed(runs: readonly PlannedRun[], limitMs: number): Promise<Map<string, RunRecord>> {
  const { bench, close } = await openInstallation({ workers: ['undisturbed'], calls: 8 });
  try {
    const records = new Map<string, RunRecord>();
    for (const { runId, engine } of runs) {
      await bench.start(runId, materialOf(runId, engine), engine);
      records.set(runId, await finishedRecord(bench, runId, { limitMs }));
    }
    return records;
  } finally {
    await close();
  }
}

carryOut(main);
