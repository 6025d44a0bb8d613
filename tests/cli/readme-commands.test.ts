import { readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { processesOf } from './command-line-under-test';
import { useProject } from './project-under-test';

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

const COMMANDS = commandsOf(README);
/** What a clone has for commands to work on. */
const project = useProject(({ folder }) =>
  cp(path.join(ROOT, 'examples'), path.join(folder, 'examples'), { recursive: true }),
);

afterAll(async () => {
  expect(await processesOf(project.folder)).toEqual([]);
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
  const line = command.slice(COMMAND_LINE.length);
  const running = project.spawn(line);
  // What stays until it is stopped has said so.
  if (/^(?:dev|server|worker)\b/.test(line)) {
    await running.said(/Ctrl-C stops it/);
    running.stop();
  }
  const { code, stderr } = await running.ended;
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
});
