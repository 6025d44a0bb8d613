import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  buildCommandLine,
  newProjectFolder,
  processesOf,
  runCommand,
  startCommand,
  type CommandResult,
  type RunningCommand,
} from './command-line-under-test';

const EXAMPLES = path.resolve(__dirname, '../../examples');
/** With the folder in it, by which what is left of the process is found. */
const args = (): string[] => [
  ...['verify', 'answer.md', '--sources', path.join(folder, 'notes')],
  ...['--annotate', 'out/checked.md', '--out', 'out/found.json', '--json'],
];
const OLD = 'What an earlier command has written.\n';

let folder: string;
let dev: RunningCommand;
let undisturbed: Written;

/** What a command printed, and the files that it named. */
interface Written {
  stdout: string;
  annotated: string;
  found: string;
}

beforeAll(async () => {
  await buildCommandLine();
  folder = await newProjectFolder();
  await cp(path.join(EXAMPLES, 'vitamin-d'), path.join(folder, 'notes'), { recursive: true });
  await cp(path.join(EXAMPLES, 'answer.md'), path.join(folder, 'answer.md'));
  await mkdir(path.join(folder, 'out'));
  dev = startCommand(['dev'], { cwd: folder });
  await dev.said(/Ctrl-C stops it/);
  undisturbed = await written(await runCommand(args(), { cwd: folder }));
});
afterAll(async () => {
  dev.child.kill('SIGTERM');
  expect((await dev.ended).code).toBe(0);
  expect(await processesOf(folder)).toEqual([]);
});

async function written({ stdout }: Pick<CommandResult, 'stdout'>): Promise<Written> {
  const read = (file: string): Promise<string> => readFile(path.join(folder, 'out', file), 'utf8');
  return { stdout, annotated: await read('checked.md'), found: await read('found.json') };
}

test.each<[at: string, left: (old: Written, whole: Written) => Written]>([
  ['claim 3', (old) => old],
  ['draft 1', (old) => old],
  ['draft 2', (old, { annotated }) => ({ ...old, annotated })],
])(
  'verify killed at %s leaves each file as it was or whole, and nothing behind; the next one is as any',
  async (at, left) => {
    const old = { stdout: '', annotated: OLD, found: OLD };
    for (const file of ['checked.md', 'found.json']) await writeFile(path.join(folder, 'out', file), OLD);
    const before = await processesOf(folder);
    const preload = path.join(__dirname, 'hold-verify.cjs');
    const killed = startCommand(args(), {
      cwd: folder,
      env: { HOLD_AT: at, NODE_OPTIONS: `--require ${preload}` },
    });
    await killed.said(/^held$/m);
    killed.child.kill('SIGKILL');
    expect(await written(await killed.ended)).toEqual(left(old, undisturbed));
    expect(await processesOf(folder)).toEqual(before);

    expect(await written(await runCommand(args(), { cwd: folder }))).toEqual(undisturbed);
  },
);

test('a server and a worker beside it have not noticed', async () => {
  const asked = ['report', 'Does vitamin D strengthen bones?', '--sources', 'notes', '--id', 'beside'];
  expect((await runCommand(asked, { cwd: folder })).code).toBe(0);
  expect((await runCommand(['list'], { cwd: folder })).stdout).toMatch(/^beside +report +completed /m);
});
