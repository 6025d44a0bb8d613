import type { RunEvent } from '../../../src/contracts/run/event';
import type { Conflict } from '../../../src/contracts/report/finding';
import type { Outline } from '../../../src/contracts/report/outline';
import type { CrossCheckInput, CrossCheckOutput } from '../../../src/steps/cross-check/contract';
import type { OutlineInput } from '../../../src/steps/outline/contract';
import type { ColligateWorker } from '../../../src/worker';
import { REPORT_SCRIPT } from '../../support/report-script';
import { openRunBench, type RunBench } from '../../support/run-bench';
import { createScriptedEngine, type ScriptedEngine } from '../../support/scripted-engine';
import { until } from '../../support/until';

let bench: RunBench;
let worker: ColligateWorker | null = null;
beforeAll(async () => {
  bench = await openRunBench();
});
afterEach(async () => {
  await worker?.drain();
  worker = null;
});
afterAll(() => bench.close());

async function workWith(extractive: ScriptedEngine): Promise<void> {
  worker = await bench.startWorker({ extractive });
}

async function conflictsTold(runId: string): Promise<RunEvent[]> {
  return (await bench.stores.events.read(runId)).filter(({ type }) => type === 'conflict-detected');
}

/** What the script answers for a step. */
function scripted(step: string, input: unknown): unknown {
  return REPORT_SCRIPT[step]?.(input as never, {} as never);
}

test('a conflict is told as soon as a section finds it, and not again at the end of the pass', async () => {
  const engine = createScriptedEngine(REPORT_SCRIPT);
  const hold = engine.hold('cross-check', '"Walking"');
  await workWith(engine);
  const { run } = await bench.colligate.startReport(bench.request({ runId: 'early' }));
  await hold.reached;
  const [told] = await until(
    () => conflictsTold('early'),
    (events) => events.length > 0,
  );
  expect(told).toMatchObject({ payload: { topic: 'tea and attention', sources: ['tea-1', 'tea-2'] } });
  expect(told?.key).toBe('3/cross-check/-/0/conflict-detected/tea-1@0 | tea-2@0');
  expect(await run.passResult('cross-reference')).toBeNull();
  hold.release();
  expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  expect(await conflictsTold('early')).toEqual([told]);
  expect((await run.report())?.report.conflicts).toHaveLength(1);
});

test('what two sections find, one the other way round, and one of them twice, is told once', async () => {
  let teaConflict: Conflict | undefined;
  const mirrored = (conflict: Conflict): Conflict => ({
    ...conflict,
    id: 'mirrored',
    topic: 'attention and tea',
    viewpoints: [...conflict.viewpoints].reverse(),
  });
  const engine = createScriptedEngine({
    ...REPORT_SCRIPT,
    // One section reads the sources of both.
    outline: (input: OutlineInput): Outline => {
      const planned = scripted('outline', input) as Outline;
      const relevantSources = input.sources.map(({ sourceId }) => ({ sourceId, relevance: 0.9 }));
      return {
        ...planned,
        sections: planned.sections.map((section) =>
          section.title === 'Walking' ? { ...section, relevantSources } : section,
        ),
      };
    },
    'cross-check': (input: CrossCheckInput): CrossCheckOutput => {
      const output = scripted('cross-check', input) as CrossCheckOutput;
      const [own] = output.conflicts;
      teaConflict ??= own;
      if (own !== undefined) return { ...output, conflicts: [own, mirrored(own)] };
      return { ...output, conflicts: teaConflict === undefined ? [] : [mirrored(teaConflict)] };
    },
  });
  const hold = engine.hold('cross-check', '"Walking"');
  await workWith(engine);
  const { run } = await bench.colligate.startReport(bench.request({ runId: 'twice-found' }));
  await hold.reached;
  await until(
    () => conflictsTold('twice-found'),
    (events) => events.length > 0,
  );
  hold.release();
  expect(await run.waitUntilClosed()).toEqual({ status: 'completed' });
  expect(teaConflict).toBeDefined();
  expect(await conflictsTold('twice-found')).toHaveLength(1);
});
