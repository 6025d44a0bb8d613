import { disturb, type Disturbed } from './disturb';
import { holdPoint } from './hold-point';
import type { KillableInstallation } from './installation';
import { otherEngine, type Disturbance, type Round } from './plan';
import { startWatched, type WatchedRun } from './watched-run';

/** What became of a round: its runs with their ends, what was done to them, and what could not be. */
export interface RoundOutcome {
  runs: { watched: WatchedRun; status: string }[];
  disturbed: Disturbed[];
  /** The run had ended before they could be done. */
  missed: Disturbance[];
  /** Where a run did not go on, in sentences. */
  stuck: string[];
}

/** Starts the run of a round with another beside it, disturbs it point by point, and waits for both. */
export async function carryOutRound(
  installation: KillableInstallation,
  round: Round & { number: number; limitMs: number; tell: (line: string) => void },
): Promise<RoundOutcome> {
  const { number, engine, disturbances, limitMs, tell } = round;
  const { bench, workers } = installation;
  const held = await startWatched(bench, { runId: `chaos-${number}-held`, engine }, limitMs);
  // All points hold from the start, so that a run that goes on does not run past the next of them.
  const points = disturbances.map(({ point }) => holdPoint(installation, held, point));
  const beside = await startWatched(
    bench,
    { runId: `chaos-${number}-beside`, engine: otherEngine(engine) },
    limitMs,
  );
  const outcome: RoundOutcome = { runs: [], disturbed: [], missed: [], stuck: [] };
  try {
    for (const [at, disturbance] of disturbances.entries()) {
      const point = points[at];
      const done = point === undefined ? null : await disturb(installation, held, disturbance, point);
      if (done === null) outcome.missed.push(disturbance);
      else outcome.disturbed.push(done);
      tell(done === null ? `${disturbance.what}: the run had ended before` : lineOf(done));
    }
  } catch (error) {
    const pending = await bench.pending(held.runId);
    const stuck = `${held.runId}: ${String(error)}; pending: ${JSON.stringify(pending)}`;
    outcome.stuck.push(stuck);
    tell(stuck);
    for (const { name, pid, said } of workers) tell(`${name} (${pid}) said:\n${said}`);
  } finally {
    for (const point of points) await point.letGo();
  }
  for (const watched of [held, beside]) outcome.runs.push({ watched, status: await watched.ended });
  return outcome;
}

function lineOf({ part, seen, goesOn, at, backAt, goneOnAt }: Disturbed): string {
  return `${part}, when ${seen}; the run goes on ${goesOn}: back after ${backAt - at} ms, on after ${goneOnAt - at} ms`;
}
