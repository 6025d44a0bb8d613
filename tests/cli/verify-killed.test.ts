import { cp } from 'node:fs/promises';
import path from 'node:path';
import { processesOf, type CommandResult } from './command-line-under-test';
import { useProject } from './project-under-test';

const EXAMPLES = path.resolve(__dirname, '../../examples');
/** With the folder in it, by which what is left of the process is found. */
const verify = (): string =>
  `verify answer.md --sources "${project.folder}/notes" --annotate out/checked.md --out out/found.json --json`;
const OLD = 'What an earlier command has written.\n';

let undisturbed: Written;

/** What a command printed, and the files that it named. */
interface Written {
  stdout: string;
  annotated: string;
  found: string;
}

const project = useProject(async ({ folder, write }) => {
  await cp(path.join(EXAMPLES, 'vitamin-d'), path.join(folder, 'notes'), { recursive: true });
  await cp(path.join(EXAMPLES, 'answer.md'), path.join(folder, 'answer.md'));
  await write('out/checked.md', OLD);
});
const { colligate } = project;
beforeAll(async () => {
  undisturbed = await written(await colligate(verify()));
});

async function written({ stdout }: Pick<CommandResult, 'stdout'>): Promise<Written> {
  return {
    stdout,
    annotated: await project.read('out/checked.md'),
    found: await project.read('out/found.json'),
  };
}

test.each<[at: string, left: (old: Written, whole: Written) => Written]>([
  ['claim 3', (old) => old],
  ['draft 1', (old) => old],
  ['draft 2', (old, { annotated }) => ({ ...old, annotated })],
])(
  'verify killed at %s leaves each file as it was or whole, and nothing behind; the next one is as any',
  async (at, left) => {
    const old = { stdout: '', annotated: OLD, found: OLD };
    for (const file of ['out/checked.md', 'out/found.json']) await project.write(file, OLD);
    const before = await processesOf(project.folder);
    const preload = path.join(__dirname, 'hold-verify.cjs');
    const killed = project.spawn(verify(), { env: { HOLD_AT: at, NODE_OPTIONS: `--require ${preload}` } });
    await killed.said(/^held$/m);
    killed.child.kill('SIGKILL');
    expect(await written(await killed.ended)).toEqual(left(old, undisturbed));
    expect(await processesOf(project.folder)).toEqual(before);

    expect(await written(await colligate(verify()))).toEqual(undisturbed);
  },
);
