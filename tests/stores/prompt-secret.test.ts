import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promptSecret } from '../../src/stores/lmdb/prompt-secret';

/** What `secret-maker.ts` tells. */
interface Answer {
  secrets?: string[];
  error?: string;
}

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'colligate-secret-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a folder has one secret, which its owner alone can read', () => {
  const data = join(folder, 'data');
  const secret = promptSecret(data);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(promptSecret(data)).toBe(secret);
  expect(promptSecret(join(folder, 'other'))).not.toBe(secret);
  expect(readdirSync(data)).toEqual(['prompt-secret']);
  expect(statSync(join(data, 'prompt-secret')).mode & 0o777).toBe(0o600);
});

test('a secret that is not whole is refused, with what to do about it', () => {
  writeFileSync(join(folder, 'prompt-secret'), 'abc');
  expect(() => promptSecret(folder)).toThrow(/is not whole: delete it/);
});

test('processes that start at the same time have the same secret', async () => {
  const folders = 300;
  const makers = [1, 2, 3].map(() =>
    fork(join(__dirname, 'secret-maker.ts'), [folder, `${folders}`], {
      execArgv: ['--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    }),
  );
  await Promise.all(makers.map((maker) => once(maker, 'message')));
  const told = makers.map((maker) => once(maker, 'message'));
  for (const maker of makers) maker.send('go');
  const answers = await Promise.all(told.map(async (message) => ((await message) as [Answer])[0]));
  expect(answers.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
  expect(answers.map(({ secrets }) => secrets?.length)).toEqual([folders, folders, folders]);
  // Not compared as lists: a failure would print them.
  expect(new Set(answers.map(({ secrets }) => secrets?.join(' '))).size).toBe(1);
});
