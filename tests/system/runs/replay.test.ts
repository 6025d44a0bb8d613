import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { bundleWorkflows } from '../../support/bundle-workflows';
import { readHistory } from '../../support/history-file';
import { recordHistory } from '../../support/record-history';

/**
 * Recorded anew by `COLLIGATE_RECORD_HISTORY=1 npx vitest run tests/system/runs/replay.test.ts` with every change of the order of a
 * workflow's work: before 1.0 a new version starts with an empty workflow.
 */
const HISTORY = join(__dirname, '../histories/report.json');

let bundle: { code: string };

beforeAll(async () => {
  if (process.env['COLLIGATE_RECORD_HISTORY'] === '1') await recordHistory(HISTORY);
  else Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('ERROR') });
  bundle = await bundleWorkflows();
});

describe('the recorded history', () => {
  it('replays on the workflow of today', async () => {
    await expect(
      Worker.runReplayHistory({ workflowBundle: bundle }, readHistory(HISTORY)),
    ).resolves.toBeUndefined();
  });

  it('fails when it tells of another order of work', async () => {
    const history = readHistory(HISTORY);
    const outline = history.events
      .map((event) => event.activityTaskScheduledEventAttributes)
      .find((scheduled) => scheduled?.activityType?.name === 'planOutline');
    if (!outline?.activityType) throw new Error('the history must have an outline');
    outline.activityType.name = 'writeSummary';
    await expect(Worker.runReplayHistory({ workflowBundle: bundle }, history)).rejects.toThrow(
      DeterminismViolationError,
    );
  });
});

describe('the workflow bundle', () => {
  it('has neither zod nor anything of Node in it', () => {
    const modules = [...bundle.code.matchAll(/^\s*!?\*\*\* (\S+) \*\*\*!?/gm)].map((match) => match[1] ?? '');
    expect(modules.filter((module) => module.includes('/src/workflows/')).length).toBeGreaterThan(5);
    expect(
      modules.filter((module) => /node_modules\/(?!@temporalio|nexus-rpc|long|ms)/.test(module)),
    ).toEqual([]);
    for (const name of builtinModules) expect(bundle.code).not.toContain(`require("node:${name}")`);
  });
});
