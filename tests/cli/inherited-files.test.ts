import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { newProjectFolder } from './command-line-under-test';

const MAIN = path.resolve(__dirname, '../../dist/cli/main.js');

let folder = '';
beforeAll(async () => {
  folder = await newProjectFolder();
  await writeFile(path.join(folder, 'good.md'), 'Rice feeds many people in Asia.\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What the command line says where a shell starts it so. */
function said(line: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      'bash',
      ['-c', `colligate() { "${process.execPath}" "${MAIN}" "$@"; }; ${line}`],
      { cwd: folder },
      (_error, _out, err) => resolve(err),
    );
  });
}

const BRIEF = 'colligate brief "Q?" --subtopics good.md';

test.each([
  [
    'a template of another command',
    `${BRIEF} --template <(printf 'x\\n{{summry}}')`,
    /Line 2 of the template/,
  ],
  [
    'a template of standard input',
    `printf 'x\\n{{summry}}' | ${BRIEF} --template /dev/stdin`,
    /Line 2 of the template/,
  ],
  [
    'an outline of another command',
    `colligate outline a --set <(printf 'no heading')`,
    /--set \/dev\/fd\/\d+: |\/dev\/fd\/\d+: /,
  ],
  [
    'an output without end',
    'colligate answer "Q?" --final-output <(yes)',
    /--final-output \/dev\/fd\/\d+: larger than 64 MB/,
  ],
  [
    'an input without end',
    'yes | colligate answer "Q?" --observations -',
    /--observations -: larger than 64 MB/,
  ],
  ['a device for the question', 'colligate answer - < /dev/zero', /QUESTION -: larger than 64 MB/],
  ['a key without end', 'OPENAI_API_KEY_FILE=/dev/fd/3 colligate doctor 3< <(yes)', /larger than 64 KB/],
  [
    'sources of another command',
    'colligate report "Q?" --sources <(echo text)',
    /a pipe, not a file; name a file or a folder/,
  ],
  [
    'a report of another command',
    'colligate verify <(echo text) --sources good.md',
    /REPORT \/dev\/fd\/\d+: a pipe, not a file/,
  ],
])('%s is read to its limit, or refused', async (_what, line, message) => {
  expect(await said(line)).toMatch(message);
});
