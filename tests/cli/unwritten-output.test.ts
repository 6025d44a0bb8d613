import { COMMAND_LINE, newProjectFolder, spawnProgram } from './command-line-under-test';

let folder: string;
beforeAll(async () => {
  folder = await newProjectFolder();
});

/** Runs the command line in a shell, which redirects its output. */
function inShell(line: string): ReturnType<typeof spawnProgram>['ended'] {
  const script = `const { spawnSync } = require('node:child_process');
    const { status } = spawnSync('bash', ['-o', 'pipefail', '-c', process.argv[1]], { stdio: 'inherit' });
    process.exit(status);`;
  const command = line.replaceAll('colligate', `"${process.execPath}" "${COMMAND_LINE}"`);
  return spawnProgram(['--eval', script, command], { cwd: folder }).ended;
}

test.each(['--help', 'report --help', '--version', 'doctor --json'])(
  '%s on a full disk is one sentence and a failure',
  async (args) => {
    const { code, stderr } = await inShell(`colligate ${args} > /dev/full`);
    expect(stderr).toBe('error: Standard output could not be written: the disk is full.\n');
    expect(code).toBe(1);
  },
);

test('a usage error stays one where nothing can be written', async () => {
  const { code, stderr } = await inShell('colligate status "" --json > /dev/full');
  expect(stderr).toMatch(/^error: ID is ""[^\n]*\nerror: Standard output could not be written[^\n]*\n$/);
  expect(code).toBe(2);
});

test('who reads no further ends the command without a word', async () => {
  const { code, stdout, stderr } = await inShell('colligate --help | head -1');
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: 'Usage: colligate [options] [command]\n',
    stderr: '',
  });
});

test('where nothing can be said, the exit code still tells', async () => {
  expect(await inShell('colligate status "" 2> /dev/full')).toMatchObject({ code: 2, stdout: '' });
  expect(await inShell('colligate --version > /dev/full 2> /dev/full')).toMatchObject({ code: 1 });
});
