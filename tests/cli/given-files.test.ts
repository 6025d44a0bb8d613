import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { createProgram } from '../../src/cli/program';
import { ExitCode } from '../../src/cli/exit-code';
import { openTerminal } from '../../src/cli/terminal/terminal';
import { configFileName } from '../../src/config/config-file';
import { loadConfig } from '../../src/config/config';
import { environmentNames, settingPaths } from '../../src/config/setting-names';
import { LONG } from '../support/long';
import { newProjectFolder } from './command-line-under-test';

const QUESTION = 'Does it work?';

/** How each place on the command line is given the file that it reads. */
const READ: Readonly<Record<string, (file: string) => string[]>> = {
  'report --sources': (file) => ['report', QUESTION, '--sources', file],
  'brief --subtopics': (file) => ['brief', QUESTION, '--subtopics', file],
  'brief --template': (file) => ['brief', QUESTION, '--subtopics', 'good.md', '--template', file],
  'verify <report>': (file) => ['verify', file, '--sources', 'good.md'],
  'verify --sources': (file) => ['verify', 'cites.md', '--sources', file],
  'import <paths>': (file) => ['import', file],
  'add-sources <paths>': (file) => ['add-sources', 'a-run', file],
  'answer --sources': (file) => ['answer', QUESTION, '--sources', file],
  'answer --observations': (file) => ['answer', QUESTION, '--observations', file],
  'answer --final-output': (file) => ['answer', QUESTION, '--final-output', file],
  'answer --history': (file) => ['answer', QUESTION, '--sources', 'good.md', '--history', file],
  'chat --sources': (file) => ['chat', '--sources', file],
  'outline --set': (file) => ['outline', 'a-run', '--set', file],
  'codec --token-file': (file) => ['codec', '--token-file', file],
  'schedule create <run>': (file) => [
    ...['schedule', 'create', 'weekly', '--every', '1h', 'report', QUESTION, '--sources', file],
  ],
};

/** What is read in several forms, besides `.md`. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  'report --sources': ['.txt', '.json', '.jsonl', '.pdf'],
  'brief --subtopics': ['.txt', '.json', '.jsonl'],
  'verify <report>': ['.json'],
  'answer --observations': ['.txt', '.json', '.jsonl'],
  'answer --history': ['.json', '.jsonl'],
};

/** What names no file to read, wherever it stands: a word, a number, an id, or where something is written. */
const NO_FILE = new Set([
  ...['<question>', '<id>', '<ids>', '<name>', '<before>', '<after>', '<command>'],
  ...['--engine', '--words', '--citations', '--unsupported', '--max-tokens', '--max-cost', '--max-time'],
  ...['--patience', '--approval-timeout', '--out', '--annotate', '--id', '--from', '--max-length'],
  ...['--threshold', '--max-revisions', '--fail-under', '--manifest', '--conversation', '--attempts'],
  ...['--format', '--pass', '--version', '--claims', '--older-than', '--after', '--port', '--host'],
  ...['--origin', '--roles', '--cron', '--every', '--time-zone', '--overlap', '--catch-up', '--jitter'],
  ...['--note', '--set'],
]);

/** The settings that name a file. */
const SETTINGS = ['openai.apiKeyFile', 'encryption.keyFile', 'report.template'] as const;

/** What may stand where a file of text should, and what is said of it. */
const KINDS: readonly { kind: string; make: (file: string) => unknown; said: RegExp }[] = [
  { kind: 'a device', make: (file) => symlinkSync('/dev/zero', file), said: /a device, not a file/ },
  { kind: 'a pipe', make: (file) => execFileSync('mkfifo', [file]), said: /a pipe, not a file/ },
  { kind: 'a socket', make: listenAt, said: /a socket, not a file/ },
  {
    kind: 'a folder',
    make: (file) => mkdirSync(file),
    said: /a folder where a file should be|folder has no/,
  },
  { kind: 'an empty file', make: (file) => writeFileSync(file, ''), said: /empty/ },
  { kind: 'a file of 100 MB', make: sparseFile, said: /larger than \d+ [KM]B; \w/ },
  {
    kind: 'a file without end that says it has no size',
    make: (file) => symlinkSync('/proc/self/pagemap', file),
    said: /larger than \d+ [KM]B; \w|a binary file|no PDF|cannot be read|no permission/,
  },
  {
    kind: 'UTF-16 with its mark',
    make: (file) => writeFileSync(file, '\ufeffSome text.\n', 'utf16le'),
    said: /UTF-16|no PDF/,
  },
  {
    kind: 'UTF-16 without',
    make: (file) => writeFileSync(file, 'Some text.\n', 'utf16le'),
    said: /a binary file, not text|no PDF/,
  },
  {
    kind: 'bytes that are no text',
    make: (file) => writeFileSync(file, RUBBISH),
    said: /broken UTF-8|no PDF/,
  },
];

/** Without an end of a line, which would make several records of it, and without a byte of zero. */
const RUBBISH = Buffer.from(Array.from({ length: 4_000 }, (_, at) => 128 + ((at * 7_919) % 127)));

const servers: Server[] = [];

async function listenAt(file: string): Promise<void> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(file, resolve));
}

function sparseFile(file: string): void {
  writeFileSync(file, '');
  truncateSync(file, 100 * 1024 * 1024);
}

const before = process.cwd();
let folder = '';

beforeAll(async () => {
  folder = await newProjectFolder();
  process.chdir(folder);
  writeFileSync('good.md', 'Rice feeds many people in Asia.\n');
  writeFileSync(
    'cites.md',
    'Rice feeds many people [1].\n\n## Sources\n\n[1] Rice. https://example.org/rice\n',
  );
  for (const { kind, make } of KINDS)
    for (const ending of new Set(['.md', ...Object.values(ENDINGS).flat()])) await make(fileOf(kind, ending));
});

afterAll(async () => {
  process.chdir(before);
  servers.forEach((server) => server.close());
  await rm(folder, { recursive: true, force: true });
});

/** Short, for a socket's path has few signs. */
function fileOf(kind: string, ending = '.md'): string {
  return `k${KINDS.findIndex((one) => one.kind === kind)}${ending}`;
}

function newProgram(): Command {
  const stream = (): NodeJS.WriteStream => new PassThrough().resume() as unknown as NodeJS.WriteStream; // as much of one as is used
  const terminal = openTerminal(stream(), stream());
  return createProgram({ terminal, exitCode: ExitCode.ok, showStacks: false }, { json: true });
}

/** `report --sources`, `verify <report>`: all that a command line may be given a value for. */
function valuesOf(command: Command, name: string): string[] {
  const own = (word: string): string => `${name} ${word}`.trim();
  return [
    ...command.registeredArguments.map((argument) => own(`<${argument.name()}>`)),
    ...command.options.flatMap(({ long, required, optional }) =>
      long !== undefined && (required || optional) ? [own(long)] : [],
    ),
    ...command.commands.flatMap((inner) => valuesOf(inner, own(inner.name()))),
  ];
}

async function saidOf(words: readonly string[]): Promise<string> {
  try {
    await newProgram().parseAsync(words, { from: 'user' });
    return 'nothing was wrong';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test('of each value that a command takes it is known here whether it names a file to read', () => {
  const values = valuesOf(newProgram(), '');
  const word = (value: string): string => value.split(' ').at(-1) ?? '';
  expect(values.filter((value) => !(value in READ) && !NO_FILE.has(word(value)))).toEqual([]);
  expect(Object.keys(READ).filter((value) => !values.includes(value))).toEqual([]);
  expect(settingPaths.filter((name) => /File$|template$/.test(name)).sort()).toEqual([...SETTINGS].sort());
});

/** One reader refuses for all places: two kinds at each show that it is asked, and all kinds come up somewhere. */
const kindsAt = (place: number): typeof KINDS =>
  LONG ? KINDS : KINDS.filter((_, at) => (at + place) % Math.ceil(KINDS.length / 2) === 0);

describe.each(
  Object.keys(READ)
    .flatMap((value) => ['.md', ...(ENDINGS[value] ?? [])].map((ending) => ({ value, ending })))
    .map((place, at) => ({ ...place, kinds: kindsAt(at) })),
)('$value, $ending', ({ value, ending, kinds }) => {
  test.each(kinds)('refuses $kind in one sentence that names it', async ({ kind, said }) => {
    const file = fileOf(kind, ending);
    const words = READ[value]?.(file) ?? [];
    // A secret's file is not named beside what is wrong with it: its flag is.
    const named = value === 'codec --token-file' ? '--token-file' : path.basename(file);
    const lines = (await saidOf(words)).split('\n').filter((line) => line.includes(named));
    expect(lines).toEqual([expect.stringMatching(said)]);
  });
});

describe.each([...SETTINGS, 'the configuration file'])('%s', (setting) => {
  test.each(KINDS)('refuses $kind in one sentence', async ({ kind, said }) => {
    const cwd = path.join(folder, `cwd-${setting.replace(/\W/g, '-')}`);
    await rm(cwd, { recursive: true, force: true });
    mkdirSync(cwd);
    const name = SETTINGS.find((one) => one === setting);
    if (name === undefined) symlinkSync(path.join(folder, fileOf(kind)), path.join(cwd, configFileName));
    if (name === 'report.template') {
      const written = { report: { template: path.join(folder, fileOf(kind)) } };
      writeFileSync(path.join(folder, configFileName), JSON.stringify(written));
      const told = await saidOf(['brief', QUESTION, '--subtopics', 'good.md']);
      await rm(path.join(folder, configFileName));
      expect(told).toMatch(said);
      return;
    }
    const env = name === undefined ? {} : { [environmentNames[name]]: path.join(folder, fileOf(kind)) };
    expect(() => loadConfig({ cwd, env })).toThrow(said);
  });
});
