import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import path from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../src/config/config';
import { configFileName } from '../../src/config/config-file';
import { KEYED_INDEXES } from '../../src/config/search-settings';
import { environmentNames, settingPaths } from '../../src/config/setting-names';
import { Report } from '../../src/contracts/report/report';
import { forAllTests } from '../support/for-all-tests';
import { startLoggingServer } from '../support/logging-server';
import { newProgram, useWorkingFolder } from './program-under-test';
import { useProject } from './project-under-test';

describe('files', () => {
  /** How each place on the command line is given the file that it reads. */
  const READ: Readonly<Record<string, string>> = {
    'report --sources': 'report Q? --sources FILE',
    'brief --subtopics': 'brief Q? --subtopics FILE',
    'brief --sources': 'brief Q? --subtopics good.md --sources FILE',
    'brief --template': 'brief Q? --subtopics good.md --template FILE',
    'verify <report>': 'verify FILE --sources good.md',
    'verify --sources': 'verify cites.md --sources FILE',
    'import <paths>': 'import FILE',
    'add-sources <paths>': 'add-sources a-run FILE',
    'answer --sources': 'answer Q? --sources FILE',
    'answer --observations': 'answer Q? --observations FILE',
    'answer --final-output': 'answer Q? --final-output FILE',
    'answer --history': 'answer Q? --sources good.md --history FILE',
    'outline --set': 'outline a-run --set FILE',
    'codec --token-file': 'codec --token-file FILE',
    'schedule create <run>': 'schedule create weekly --every 1h report Q? --sources FILE',
  };

  /** What is read in several forms, besides `.md`. */
  const ENDINGS: Readonly<Record<string, readonly string[]>> = {
    'report --sources': ['.txt', '.json', '.jsonl', '.pdf'],
    'brief --subtopics': ['.txt', '.json', '.jsonl'],
    'answer --observations': ['.txt', '.json', '.jsonl'],
    'answer --history': ['.json', '.jsonl'],
  };

  /** What names no file to read, wherever it stands: a word, a number, an id, or where something is written. */
  const NO_FILE = new Set(
    (
      '<question> <id> <ids> <name> <before> <after> <command> --engine --words --citations --unsupported ' +
      '--max-tokens --max-cost --max-time --patience --approval-timeout --out --annotate --id --from --max-length ' +
      '--threshold --max-revisions --fail-under --texts --manifest --attempts --format --pass --version ' +
      '--claims --older-than --after --port --host --origin --scope --days <owner> --roles --cron --every --time-zone --overlap ' +
      '--catch-up --jitter --note --set --search --search-rounds --search-pages --reread'
    ).split(' '),
  );

  /** The settings that name a file. */
  const SETTINGS = [
    'openai.apiKeyFile',
    'encryption.keyFile',
    'report.template',
    ...KEYED_INDEXES.map((name) => `search.${name}.apiKeyFile` as const),
  ] as const;

  /** What may stand where a file of text should, and what is said of it. */
  const KINDS: readonly { kind: string; make: (file: string) => unknown; said: RegExp }[] = (
    [
      ['a device', (file) => symlinkSync('/dev/zero', file), /a device, not a file/],
      ['a pipe', (file) => execFileSync('mkfifo', [file]), /a pipe, not a file/],
      ['a socket', listenAt, /a socket, not a file/],
      ['a folder', (file) => mkdirSync(file), /a folder where a file should be|folder has no/],
      ['an empty file', (file) => writeFileSync(file, ''), /empty/],
      ['a file of 100 MB', sparseFile, /larger than \d+ [KM]B; \w/],
      [
        'a file without end that says it has no size',
        (file) => symlinkSync('/proc/self/pagemap', file),
        /larger than \d+ [KM]B; \w|a binary file|no PDF|cannot be read|no permission/,
      ],
      [
        'UTF-16 with its mark',
        (file) => writeFileSync(file, '\ufeffSome text.\n', 'utf16le'),
        /UTF-16|no PDF/,
      ],
      [
        'UTF-16 without',
        (file) => writeFileSync(file, 'Some text.\n', 'utf16le'),
        /binary file, not text|no PDF/,
      ],
      ['bytes that are no text', (file) => writeFileSync(file, RUBBISH), /broken UTF-8|no PDF/],
    ] as [string, (file: string) => unknown, RegExp][]
  ).map(([kind, make, said]) => ({ kind, make, said }));

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

  const { path: folder, saidOf } = useWorkingFolder();

  beforeAll(async () => {
    writeFileSync(
      path.join(folder(), 'cites.md'),
      'Rice feeds many [1].\n\n## Sources\n\n[1] Rice. https://example.org/rice\n',
    );
    for (const { kind, make } of KINDS)
      for (const ending of new Set(['.md', ...Object.values(ENDINGS).flat()]))
        await make(path.join(folder(), fileOf(kind, ending)));
  });

  afterAll(() => servers.forEach((server) => server.close()));

  /** Short, for a socket's path has few signs. */
  function fileOf(kind: string, ending = '.md'): string {
    return `k${KINDS.findIndex((one) => one.kind === kind)}${ending}`;
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

  test('of each value that a command takes it is known here whether it names a file to read', () => {
    const values = valuesOf(newProgram(), '');
    const word = (value: string): string => value.split(' ').at(-1) ?? '';
    expect(values.filter((value) => !(value in READ) && !NO_FILE.has(word(value)))).toEqual([]);
    expect(Object.keys(READ).filter((value) => !values.includes(value))).toEqual([]);
    expect(settingPaths.filter((name) => /File$|template$/.test(name)).sort()).toEqual([...SETTINGS].sort());
  });

  /** One reader refuses for all places: two kinds at each show that it is asked, and all kinds come up somewhere. */
  const kindsAt = (place: number): typeof KINDS =>
    KINDS.filter((_, at) => (at + place) % Math.ceil(KINDS.length / 2) === 0);

  describe.each(
    Object.keys(READ)
      .flatMap((value) => ['.md', ...(ENDINGS[value] ?? [])].map((ending) => ({ value, ending })))
      .map((place, at) => ({ ...place, kinds: kindsAt(at) })),
  )('$value, $ending', ({ value, ending, kinds }) => {
    test.each(kinds)('refuses $kind in one sentence that names it', async ({ kind, said }) => {
      const file = fileOf(kind, ending);
      // A secret's file is not named beside what is wrong with it: its flag is.
      const named = value === 'codec --token-file' ? '--token-file' : path.basename(file);
      const lines = (await saidOf((READ[value] ?? '').replace('FILE', file)))
        .split('\n')
        .filter((line) => line.includes(named));
      expect(lines).toEqual([expect.stringMatching(said)]);
    });
  });

  describe.each(
    [...SETTINGS, 'the configuration file'].map((setting, at) => ({ setting, kinds: kindsAt(at) })),
  )('$setting', ({ setting, kinds }) => {
    test.each(kinds)('refuses $kind in one sentence', async ({ kind, said }) => {
      const cwd = path.join(folder(), `cwd-${setting.replace(/\W/g, '-')}`);
      await rm(cwd, { recursive: true, force: true });
      mkdirSync(cwd);
      const name = SETTINGS.find((one) => one === setting);
      if (name === undefined) symlinkSync(path.join(folder(), fileOf(kind)), path.join(cwd, configFileName));
      if (name === 'report.template') {
        const written = { report: { template: path.join(folder(), fileOf(kind)) } };
        writeFileSync(path.join(folder(), configFileName), JSON.stringify(written));
        const told = await saidOf('brief Q? --subtopics good.md');
        await rm(path.join(folder(), configFileName));
        expect(told).toMatch(said);
        return;
      }
      const env = name === undefined ? {} : { [environmentNames[name]]: path.join(folder(), fileOf(kind)) };
      expect(() => loadConfig({ cwd, env })).toThrow(said);
    });
  });
});

describe('addresses', () => {
  const project = useProject();
  const server = forAllTests(startLoggingServer);

  const SAYS = 'Total sleep time increased by 38 minutes in the exercise group (p = 0.01).';
  const PAGE = `# Evening walking and sleep\n\nIn a trial 64 older adults walked for 12 weeks. ${SAYS}\n`;

  beforeAll(() => {
    server.serve = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/markdown' }).end(PAGE);
  });

  const page = (query = ''): string => `http://127.0.0.1:${server.port}/walking${query}`;
  const allowing = (): { env: Record<string, string> } => ({
    env: { COLLIGATE_FETCH_ALLOW: `wiki.intranet:443, 127.0.0.1:${server.port}` },
  });

  test('what lies on this machine is fetched where it is allowed by name and port, and nowhere else', async () => {
    for (const command of ['import', 'verify report.md --sources']) {
      await project.write(
        'report.md',
        `${SAYS} [1]\n\n## Sources\n\n1. Evening walking and sleep, ${page()}\n`,
      );
      const refused = await project.colligate(`${command} ${page()}`);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain('it leads to 127.0.0.1, which is no public address');
      expect(refused.stderr).toContain(`allow 127.0.0.1:${server.port} by fetch.allow`);
    }
    expect(server.connections).toEqual([]);
    const { code, stdout } = await project.colligate(`import ${page()}`, allowing());
    expect(code).toBe(0);
    expect(stdout).toContain('sourceCount  1');
    const verified = await project.colligate(`verify report.md --sources ${page()}`, allowing());
    expect(verified.stdout).toContain('1 claim: 1 supported');
  });

  test('whoever fetches says who they are, where they want to', async () => {
    for (const [contact, told] of [
      ['library@example.org', '(+mailto:library@example.org)'],
      ['https://example.org/about', '(+https://example.org/about)'],
    ]) {
      const { env } = allowing();
      await project.colligate(`import ${page('?contact')}`, {
        env: { ...env, COLLIGATE_FETCH_CONTACT: `${contact}` },
      });
      expect(server.requests.at(-1)?.headers['user-agent']).toMatch(/^Colligate\/\d/);
      expect(server.requests.at(-1)?.headers['user-agent']).toContain(told);
    }
    const wrong = await project.colligate(`import ${page()}`, { env: { COLLIGATE_FETCH_CONTACT: 'a) (b' } });
    expect(wrong).toMatchObject({ code: 2 });
  });

  test('a stored list is read again without its files, by what import printed', async () => {
    await project.write(
      'papers/page.html',
      `<!doctype html><html><body><h1>Walking</h1><p>${SAYS}</p></body></html>`,
    );
    const first = await project.colligate('import papers --json');
    const { manifestRef } = JSON.parse(first.stdout) as { manifestRef: string };
    await rm(path.join(project.folder, 'papers'), { recursive: true });
    const again = await project.colligate(`import --reread ${manifestRef} --json`);
    expect(JSON.parse(again.stdout)).toMatchObject({ manifestRef, sourceCount: 1 });
    const unknown = await project.colligate(`import --reread ${'0'.repeat(64)}`);
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain('this store has no list of sources under it');
    expect((await project.colligate('import')).stderr).toContain('PATHS is missing');
  });

  test('what is no address of the web is refused before anything is started', async () => {
    const given =
      'report "Does walking improve sleep?" --sources file:///etc/passwd http://user:s3cr3t@one.example/';
    const { code, stderr } = await project.colligate(given);
    expect(code).toBe(2);
    expect(stderr).toContain('2 problems with the sources; nothing was started.');
    expect(stderr).toContain('file:///etc/passwd: only http and https addresses are fetched');
    expect(stderr).not.toContain('s3cr3t');
  });

  test('attack 10: a key in an address is in no report, no history, no store and no line of a command', async () => {
    const asked = `report "Does walking improve sleep?" --id walking --sources ${page('?token=s3cr3t')}`;
    const { code, stdout, stderr } = await project.colligate(asked, allowing());
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const report = Report.parse(JSON.parse(await project.read('reports/walking/report.json')));
    expect(report.citations.map(({ url }) => url)).toEqual([page()]);
    expect(report.markdown).toContain('38 minutes');
    const files = readdirSync(project.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name));
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter((file) => readFileSync(file).includes('s3cr3t'))).toEqual([]);
    expect(stdout + stderr).not.toContain('s3cr3t');
  });

  test('attack 3: nothing leads from https to http', async () => {
    const [key, certificate] = ['key.pem', 'certificate.pem'].map((name) => path.join(project.folder, name));
    const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2'];
    execFileSync('openssl', ['req', ...kind, '-keyout', `${key}`, '-out', `${certificate}`, ...names], {
      stdio: 'ignore',
    });
    const secure = await listening(
      createSecureServer(
        { key: readFileSync(`${key}`), cert: readFileSync(`${certificate}`) },
        ({ url }, response) => {
          if (url === '/robots.txt') response.writeHead(404).end();
          else if (url === '/down') response.writeHead(302, { location: page() }).end();
          else response.writeHead(200, { 'content-type': 'text/plain' }).end(PAGE);
        },
      ),
    );
    const { port } = secure.address() as AddressInfo; // a TCP server's address is an object
    const allow = [server.port, port].map((one) => `127.0.0.1:${one}`).join(',');
    const trusting = { env: { COLLIGATE_FETCH_ALLOW: allow, NODE_EXTRA_CA_CERTS: `${certificate}` } };
    const before = server.requests.length;
    const { code, stderr } = await project.spawn(`import https://127.0.0.1:${port}/down`, trusting).ended;
    expect(code).toBe(2);
    expect(stderr).toContain('it redirects from https to http, where others can read along');
    expect(server.requests.length).toBe(before);
    expect((await project.spawn(`import https://127.0.0.1:${port}/page`, trusting).ended).code).toBe(0);
    const untrusted = await project.colligate(`import https://127.0.0.1:${port}/page`, {
      env: { COLLIGATE_FETCH_ALLOW: allow },
    });
    expect(untrusted.stderr).toMatch(/its certificate is not trusted/);
    secure.close();
  });

  async function listening(secure: SecureServer): Promise<SecureServer> {
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    return secure;
  }
});
