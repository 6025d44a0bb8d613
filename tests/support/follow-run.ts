import type { RunHandle, RunProgress } from '../../src/client';
import type { Report } from '../../src/contracts/report';
import type { RunBench } from './run-bench';
import { until } from './until';

/** Looks at a run until its progress is as it is to be. */
export function seen(run: RunHandle, isIt: (progress: RunProgress) => boolean): Promise<RunProgress> {
  return until(() => run.progress(), isIt);
}

export function reaches(run: RunHandle, wanted: RunProgress['status']): Promise<RunProgress> {
  return seen(run, ({ status }) => status === wanted);
}

export async function reportOf(run: RunHandle): Promise<{ report: Report; markdown: string }> {
  const stored = await run.report();
  if (stored === null) throw new Error(`run ${run.runId} must have stored a report`);
  return stored;
}

export interface EndedRun {
  run: RunHandle;
  status: string;
  report: Report;
  markdown: string;
}

export async function ended(begun: RunHandle | Promise<RunHandle>): Promise<EndedRun> {
  const run = await begun;
  const { status } = await run.waitUntilClosed();
  return { run, status, ...(await reportOf(run)) };
}

/** What the engine of a bench was asked for a step, in its order. */
export function asked<Input = unknown>({ engine }: Pick<RunBench, 'engine'>, step: string): Input[] {
  return engine.calls.filter((call) => call.step === step).map(({ input }) => input as Input);
}

/** The search attributes of a run that are the project's own. */
export async function attributesOf(
  { client }: Pick<RunBench, 'client'>,
  runId: string,
): Promise<Record<string, unknown>> {
  const { typedSearchAttributes } = await client.workflow.getHandle(runId).describe();
  const ours = typedSearchAttributes.getAll().filter(({ key }) => key.name.startsWith('Colligate'));
  return Object.fromEntries(ours.map(({ key, value }) => [key.name, value]));
}
