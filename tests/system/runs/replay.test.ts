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

  it('are there, for each release', () => {
    const first = ['completed.json', 'continued.json', 'paused-and-cancelled.json'];
    const since = [
      ...first,
      'cancelled-while-waiting.json',
      'ended-at-a-failure.json',
      'waited-and-parked.json',
    ];
    const withAnswers = [
      'audited-and-revised.json',
      'answered.json',
      'answer-revised.json',
      'answer-in-a-conversation.json',
    ];
    const withBriefs = ['brief.json', 'brief-revised.json', 'brief-continued.json'];
    const releases = {
      '0.1.0': first,
      '0.2.0': [...since, 'checked-by-a-critic.json'],
      '0.3.0': [...since, 'audited-and-revised.json'],
      '0.4.0': [...since, ...withAnswers],
      '0.5.0': [...since, ...withAnswers, ...withBriefs],
      '0.6.0': [
        ...since,
        ...withAnswers,
        ...withBriefs,
        'steered.json',
        'steered-late.json',
        'scheduled.json',
      ],
    };
    expect(files).toEqual(
      Object.entries(releases).flatMap(([release, names]) =>
        names.sort().map((file) => `${release}/${file}`),
      ),
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
