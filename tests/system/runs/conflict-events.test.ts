import type { RunEvent } from '../../../src/contracts/run/event';
import type { Conflict } from '../../../src/contracts/report/finding';
import type { Outline } from '../../../src/contracts/report/outline';
import type { CrossCheckInput, CrossCheckOutput } from '../../../src/steps/cross-check/contract';
import type { OutlineInput } from '../../../src/steps/outline/contract';
import { reportOf } from '../../support/follow-run';
import { forAllTests } from '../../support/for-all-tests';
import { REPORT_SCRIPT } from '../../support/report-script';
import { openScriptedBench } from '../../support/run-bench';
import type { StepScript } from '../../support/scripted-engine';
import { until } from '../../support/until';

const bench = forAllTests(openScriptedBench);

/** What the script answers for a step. */
function scripted(step: string, input: unknown): unknown {
  return REPORT_SCRIPT[step]?.(input as never, {} as never);
}

/** The conflicts that a run has told of when only the check of walks is still to end, and those that it told of in the end. */
async function conflictsTold(
  runId: string,
  changes: Record<string, StepScript>,
): Promise<{ early: RunEvent[]; all: RunEvent[] }> {
  const told = async (): Promise<RunEvent[]> =>
    (await bench.eventsOf(runId)).filter(({ type }) => type === 'conflict-detected');
  const hold = bench.play(changes).hold('cross-check', '"Walking"');
  const run = await bench.report(runId);
  await hold.reached;
  const early = await until(told, (events) => events.length > 0);
  expect(await run.passResult('cross-reference')).toBeNull();
  hold.release();
  expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  return { early, all: await told() };
}

test('a conflict is told as soon as a section finds it, and not again at the end of the pass', async () => {
  const { early, all } = await conflictsTold('early', {});
  expect(early).toMatchObject([
    {
      key: '3/cross-check/-/0/conflict-detected/tea-1@0 | tea-2@0',
      payload: { topic: 'tea and attention', sources: ['tea-1', 'tea-2'] },
    },
  ]);
  expect(all).toEqual(early);
  expect((await reportOf(bench.colligate.run('early'))).report.conflicts).toHaveLength(1);
});

test('what two sections find, one the other way round, and one of them twice, is told once', async () => {
  let teaConflict: Conflict | undefined;
  const mirrored = (conflict: Conflict): Conflict => ({
    ...conflict,
    id: 'mirrored',
    topic: 'attention and tea',
    viewpoints: [...conflict.viewpoints].reverse(),
  });
  const { all } = await conflictsTold('twice-found', {
    // One section reads the sources of both.
    outline: (input: OutlineInput): Outline => {
      const planned = scripted('outline', input) as Outline;
      const relevantSources = input.sources.map(({ sourceId }) => ({ sourceId, relevance: 0.9 }));
      const sections = planned.sections.map((section) =>
        section.title === 'Walking' ? { ...section, relevantSources } : section,
      );
      return { ...planned, sections };
    },
    'cross-check': (input: CrossCheckInput): CrossCheckOutput => {
      const output = scripted('cross-check', input) as CrossCheckOutput;
      const [own] = output.conflicts;
      teaConflict ??= own;
      if (own !== undefined) return { ...output, conflicts: [own, mirrored(own)] };
      return { ...output, conflicts: teaConflict === undefined ? [] : [mirrored(teaConflict)] };
    },
  });
  expect(teaConflict).toBeDefined();
  expect(all).toHaveLength(1);
});
