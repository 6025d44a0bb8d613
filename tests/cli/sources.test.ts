import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Command } from 'commander';
import { loadConfig } from '../../src/app/config';
import { Report } from '../../src/contracts/report';
import { environmentNames, settingPaths } from '../../src/contracts/setting-names';
import { KEYED_INDEXES } from '../../src/contracts/settings';
import { collection, item, startZotero, type ZoteroUnderTest } from '../sources/zotero-under-test';
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

  /** What names no file to read, wherever it stands: a word, a number, an id, or where something is written. */
  const NO_FILE = new Set(
    (
      '<question> <id> <ids> <name> <before> <after> <command> --engine --model --words --citations --unsupported ' +
      '--max-tokens --max-cost --max-time --patience --approval-timeout --out --annotate --id --from --max-length ' +
      '--threshold --max-revisions --fail-under --texts --manifest --attempts --format --pass --version ' +
      '--claims --older-than --after --port --host --origin --scope --days <owner> --roles --cron --every --time-zone --overlap ' +
      '--catch-up --jitter --note --set --search --search-rounds --search-pages --reread --zotero'
    ).split(' '),
  );

  const SETTINGS = [
    'openai.apiKeyFile',
    'openai.pricesFile',
    'encryption.keyFile',
    'report.template',
    ...KEYED_INDEXES.map((name) => `search.${name}.apiKeyFile` as const),
  ] as const;

  /** What may stand where a file of text should, and what is said of it. */
  const KINDS: readonly { file: string; make: (file: string) => unknown; said: RegExp }[] = [
    { file: 'device.md', make: (file) => symlinkSync('/dev/zero', file), said: /a device, not a file/ },
    { file: 'pipe.md', make: (file) => execFileSync('mkfifo', [file]), said: /a pipe, not a file/ },
    { file: 'large.md', make: sparseFile, said: /larger than \d+ [KM]B; \w/ },
  ];

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
    for (const { file, make } of KINDS) await make(path.join(folder(), file));
  });

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

  describe.each(Object.entries(READ))('%s', (value, line) => {
    test.each(KINDS)('refuses $file in one sentence that names it', async ({ file, said }) => {
      // A secret's file is not named beside what is wrong with it: its flag is.
      const named = value === 'codec --token-file' ? '--token-file' : file;
      const lines = (await saidOf(line.replace('FILE', file)))
        .split('\n')
        .filter((told) => told.includes(named));
      expect(lines).toEqual([expect.stringMatching(said)]);
    });
  });

  test.each(SETTINGS.filter((setting) => setting !== 'report.template'))(
    'the file of %s is refused where it is a device',
    (setting) => {
      const env = { [environmentNames[setting]]: path.join(folder(), 'device.md') };
      expect(() => loadConfig({ cwd: folder(), env })).toThrow(/a device, not a file/);
    },
  );
});

describe('collections of Zotero', () => {
  const project = useProject();
  let zotero: ZoteroUnderTest;

  const SAID = 'Total sleep time increased by 38 minutes in the exercise group.';

  beforeAll(async () => {
    zotero = await startZotero();
    zotero.lists = {
      '/collections': [collection('SLEEP111', 'Sleep')],
      '/collections/SLEEP111/items/top': [
        item('ITEM1111', { itemType: 'report', title: 'Evening walking', abstractNote: SAID }),
        item('ITEM2222', { itemType: 'report', title: 'Without a file' }),
      ],
      '/items/ITEM1111/children': [],
      '/items/ITEM2222/children': [],
    };
  });
  afterAll(() => zotero.close());

  const asking = (): { env: Record<string, string> } => ({ env: { COLLIGATE_ZOTERO_URL: zotero.url } });

  test('are read by import, verify and answer', async () => {
    const imported = await project.colligate('import --zotero Sleep --json', asking());
    expect(imported.code).toBe(0);
    expect(JSON.parse(imported.stdout)).toMatchObject({
      sourceCount: 1,
      warnings: expect.arrayContaining([
        expect.objectContaining({ message: expect.stringContaining('Without a file') as string }),
      ]) as object[],
    });
    await project.write('walking.md', `${SAID} [1]\n\n## Sources\n\n1. Evening walking\n`);
    const verified = await project.colligate('verify walking.md --zotero Sleep', asking());
    expect(verified.stdout).toContain('1 claim: 1 supported');
    const question = ['answer', 'By how much did total sleep time increase?', '--zotero', 'Sleep'];
    expect((await project.colligate(question, asking())).stdout).toContain('38 minutes');
  });

  test('are asked for by name before anything starts, on this machine alone', async () => {
    const unknown = await project.colligate('report Q? --zotero Salt', asking());
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toContain(
      '--zotero Salt: Zotero has no such collection; there are Sleep (SLEEP111).',
    );
    const elsewhere = await project.colligate('import --zotero Sleep', {
      env: { COLLIGATE_ZOTERO_URL: 'http://192.0.2.1:23119' },
    });
    expect(elsewhere).toMatchObject({ code: 2 });
    expect(elsewhere.stderr).toContain('an http URL of this machine');
    const scheduled = await project.colligate(
      'schedule create s --every 1h report Q? --zotero Sleep',
      asking(),
    );
    expect(scheduled.stderr).toContain('--zotero is of no use here');
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

  test('what an import stored goes with it', async () => {
    await project.write('note.md', PAGE);
    const { stdout } = await project.colligate('import note.md --json');
    const { heldBy } = JSON.parse(stdout) as { heldBy: string };
    expect((await project.colligate(`delete ${heldBy}`)).code).toBe(0);
    expect((await project.colligate(`delete ${heldBy}`)).code).toBe(2);
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
