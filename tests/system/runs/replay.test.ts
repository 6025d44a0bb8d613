import { readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { bundleWorkflows } from '../../support/bundle-workflows';
import { readHistory } from '../../support/history-file';

const HISTORIES = join(__dirname, '../histories');

let bundle: { code: string };

beforeAll(async () => {
  const logger = new DefaultLogger('ERROR');
  Runtime.install({ shutdownSignals: [], logger });
  bundle = await bundleWorkflows();
});

describe('committed histories', () => {
  const files = readdirSync(HISTORIES)
    .sort()
    .flatMap((release) =>
      readdirSync(join(HISTORIES, release))
        .sort()
        .map((file) => `${release}/${file}`),
    );

  it('are there, of the last minor version', () => {
    expect(files).toEqual(
      [
        'answer-revised',
        'answered',
        'audited-and-revised',
        'brief-continued',
        'brief-revised',
        'brief',
        'cancelled-while-waiting',
        'completed',
        'continued',
        'ended-at-a-failure',
        'paused-and-cancelled',
        'scheduled',
        'steered-late',
        'steered',
        'waited-and-parked',
      ].map((name) => `0.6.0/${name}.json`),
    );
  });

  it.each(files)('replay on the workflow of today: %s', async (file) => {
    await expect(
      Worker.runReplayHistory({ workflowBundle: bundle }, readHistory(join(HISTORIES, file))),
    ).resolves.toBeUndefined();
  });

  it.each(files.filter((file) => file.endsWith('/completed.json')))(
    'fail when they tell of another order of work: %s',
    async (file) => {
      const history = readHistory(join(HISTORIES, file));
      const outline = history.events
        .map((event) => event.activityTaskScheduledEventAttributes)
        .find((scheduled) => scheduled?.activityType?.name === 'planOutline');
      if (!outline?.activityType) throw new Error('the history must have an outline');
      outline.activityType.name = 'writeSummary';
      await expect(Worker.runReplayHistory({ workflowBundle: bundle }, history)).rejects.toThrow(
        DeterminismViolationError,
      );
    },
  );
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
