import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createExtractiveEngine } from '../../../src/engines/extractive/module';
import { type CommandResult, newProjectFolder, runCommand } from '../../cli/command-line-under-test';
import { forAllTests } from '../../support/for-all-tests';
import { NOTES } from '../../support/kills/material';
import { openRunBench } from '../../support/run-bench';
import { until } from '../../support/until';

const [notes = ''] = NOTES.paths;
const QUESTION = 'Does vitamin D supplementation strengthen bones?';

const bench = forAllTests(openRunBench);
let folder: string;

beforeAll(async () => {
  folder = await newProjectFolder();
  await bench.startWorker({ extractive: createExtractiveEngine(bench) });
});

function told(...args: string[]): Promise<CommandResult> {
  return runCommand(args, {
    cwd: folder,
    env: {
      TEMPORAL_ADDRESS: bench.target.address,
      TEMPORAL_NAMESPACE: bench.target.namespace,
      COLLIGATE_DATA_DIR: bench.config.dataDir,
      COLLIGATE_LOG_LEVEL: 'error',
    },
  });
}

async function awaitsApproval(outlines: number): Promise<void> {
  const run = bench.colligate.run('bones');
  await until(
    () => run.progress(),
    ({ status }) => status === 'awaiting-approval',
  );
  await until(
    () => bench.stores.events.read('bones'),
    (events) => events.filter(({ type }) => type === 'outline-generated').length === outlines,
  );
}

/** The titles of the sources that the first section is read for. */
async function firstIsReadFor(): Promise<string> {
  const run = bench.colligate.run('bones');
  const sources = (await run.passResult('gather'))?.sources ?? [];
  const [section] = (await run.passResult('overview'))?.sections ?? [];
  const ids = new Set(section?.relevantSources.map(({ sourceId }) => sourceId));
  return sources
    .filter(({ id }) => ids.has(id))
    .map(({ title }) => title)
    .join('\n');
}

test('a report is given sources, an outline, a budget and approval while it waits', async () => {
  const two = ['jorde-2010-bone.md', 'bosworth-2012-bone.md'].map((name) => join(notes, name));
  const started = await told(
    ...['report', QUESTION, '--sources', ...two, '--id', 'bones', '--approve-outline', '--detach'],
  );
  expect(started).toMatchObject({ code: 0, stdout: 'bones\n' });
  await awaitsApproval(1);

  const planned = await told('outline', 'bones');
  expect(planned.stdout).toMatch(/^# .+\n\n## .+/);
  const added = await told('add-sources', 'bones', notes);
  expect(added.stdout).toContain('14 sources join before pass 2. 2 sources are there already.');
  await awaitsApproval(2);
  expect((await firstIsReadFor()).split('\n').length).toBeGreaterThan(2);

  // What stays as it was keeps its sources, whatever its words are.
  await writeFile(join(folder, 'outline.md'), (await told('outline', 'bones')).stdout);
  const before = await firstIsReadFor();
  expect((await told('outline', 'bones', '--set', 'outline.md')).code).toBe(0);
  await awaitsApproval(3);
  expect(await firstIsReadFor()).toBe(before);

  await writeFile(join(folder, 'own.md'), '# On bones\n\n## Bone density\n\n## Kidney patients\n');
  const approved = await told('outline', 'bones', '--set', 'own.md', '--approve');
  expect(approved.stdout).toMatch(/An outline of 2 sections takes the place.*[^]*is approved/);
  expect(await bench.colligate.run('bones').waitUntilClosed()).toEqual({ status: 'completed' });
  const { report } = (await bench.colligate.run('bones').report()) ?? {};
  expect(report?.sections.map(({ title }) => title)).toEqual(['Bone density', 'Kidney patients']);
  expect(report?.sections[0]?.markdown).toContain('Zheng');

  const late = await told('add-sources', 'bones', notes);
  expect(late.code).not.toBe(0);
  expect(late.stderr).toContain('has ended');
  expect(late.stderr).not.toContain('    at ');
});
