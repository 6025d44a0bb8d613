import { rm } from 'node:fs/promises';
import path from 'node:path';
import { buildCommandLine, newProjectFolder, runCommand } from './command-line-under-test';
import { writeNotes } from './notes';

let folder: string;
beforeAll(async () => {
  await buildCommandLine();
  folder = await newProjectFolder();
  await writeNotes(path.join(folder, 'notes'));
});
afterAll(() => rm(folder, { recursive: true }));

test('the log has the store at each pass and the citations at the end, with the run, for whoever asks for details', async () => {
  const args = ['report', 'Does exercise improve sleep?', '--sources', 'notes', '--id', 'detailed'];
  const { code, stderr } = await runCommand(args, { cwd: folder, env: { COLLIGATE_LOG_LEVEL: 'debug' } });
  expect(code).toBe(0);
  const logged = stderr
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ runId }) => runId === 'detailed');
  const stores = logged.filter(({ msg }) => msg === 'Content store');
  expect(stores.map(({ phase }) => phase)).toEqual([
    'gather',
    'overview',
    'deep-dive',
    'cross-reference',
    'report',
  ]);
  for (const { artifacts, totalChars, found } of stores)
    for (const amount of [artifacts, totalChars, found]) expect(amount).toBeGreaterThan(0);
  expect(logged.filter(({ msg }) => msg === 'Citations')).toEqual([
    expect.objectContaining({ citations: expect.any(Number) as number }),
  ]);
}, 300_000);
