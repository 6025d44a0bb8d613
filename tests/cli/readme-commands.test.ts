import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { buildCommandLine, newProjectFolder, processesOf, startCommand } from './command-line-under-test';

const ROOT = path.resolve(__dirname, '../..');
const README = readFileSync(path.join(ROOT, 'README.md'), 'utf8');
const PACKAGE = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const COMMAND_LINE = 'npm run -s colligate -- ';

/** The commands of the README's shell blocks, whole lines without comments. */
function commandsOf(markdown: string): string[] {
  const blocks = [...markdown.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  return blocks.flatMap((block) =>
    block
      .replaceAll(/\\\n\s*/g, '')
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== ''),
  );
}

/** The words of a command, as a shell has them where nothing is expanded. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

const COMMANDS = commandsOf(README);
let folder: string;

beforeAll(async () => {
  await buildCommandLine();
  folder = await newProjectFolder();
  // What a clone has for commands to work on.
  await cp(path.join(ROOT, 'examples'), path.join(folder, 'examples'), { recursive: true });
});

afterAll(async () => {
  expect(await processesOf(folder)).toEqual([]);
});

test('the README has commands', () => {
  expect(COMMANDS.length).toBeGreaterThan(5);
});

test.each(COMMANDS.filter((command) => !command.startsWith(COMMAND_LINE)))('%s is there', (command) => {
  const [npm, run, script = ''] = command.split(' ');
  expect(npm).toBe('npm');
  expect(PACKAGE.scripts).toHaveProperty(run === 'run' ? script : (run ?? ''));
});

test.each(COMMANDS.filter((command) => command.startsWith(COMMAND_LINE)))('%s runs', async (command) => {
  const args = wordsOf(command.slice(COMMAND_LINE.length));
  const running = startCommand(args, { cwd: folder });
  // What stays until it is stopped has said so.
  if (['dev', 'server', 'worker'].includes(args[0] ?? '')) {
    await running.said(/Ctrl-C stops it/);
    running.child.kill('SIGINT');
  }
  const { code, stderr } = await running.ended;
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
});
