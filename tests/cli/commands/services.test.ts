import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { RunStatus } from '../../../src/contracts/run';
import { CLOSED_STATUSES } from '../../../src/contracts/run-status';
import { jsonOf } from '../../support/http-bench';
import { callTool, jsonFrom, newMcpClient } from '../../support/mcp-client';
import { until } from '../../support/until';
import { COMMAND_LINE, type RunningCommand } from '../command-line-under-test';
import { useDevProject, useProject } from '../project-under-test';

describe('serve', () => {
  const project = useProject();
  const { colligate, json, start } = project;

  let running: RunningCommand[] = [];
  afterEach(async () => {
    for (const command of running) command.stop('SIGTERM');
    await Promise.all(running.map(({ ended }) => ended));
    running = [];
  });

  async function announced<Announcement>(line: string): Promise<Announcement> {
    const command = start(line);
    running.push(command);
    await command.said(/\n\}\s*$/);
    return JSON.parse(command.saying().stdout) as Announcement;
  }

  test('on this machine alone it needs no token until there is one, and a revoked one is none', async () => {
    await announced('worker --json');
    const { url } = await announced<{ url: string }>('serve --json --set http.port=0');
    const list = (token?: string): Promise<Response> =>
      fetch(`${url}/v1/runs`, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } });

    const started = await jsonOf<{ runId: string }>(
      fetch(`${url}/v1/runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          kind: 'report',
          question: 'Does it help sleep?',
          sources: [{ title: 'A note', content: 'Sleep improved by 12 % in 40 adults.' }],
        }),
      }),
    );
    const events = await (await fetch(`${url}/v1/runs/${started.runId}/events`)).text();
    expect(events).toContain('event: run-completed');
    expect((await colligate('list')).stdout).toContain(started.runId);

    const made = await json<{ id: string; token: string }>('token make ann --scope read --json');
    expect((await list()).status).toBe(401);
    expect(await jsonOf(list(made.token))).toEqual({ runs: [], next: null });
    const listed = await colligate('token list');
    expect(listed.stdout).toContain('ann');
    expect(listed.stdout).not.toContain(made.token);
    expect((await colligate(`token revoke ${made.id}`)).code).toBe(0);
    expect((await colligate(`token revoke ${made.id}`)).code).toBe(2);
    // No token is left, and the face does not open again.
    expect((await list()).status).toBe(401);
  });

  test.each(['http.host=0.0.0.0', 'http.origins=https://colligate.example'])(
    'with %s it lets nobody in while there is no token, and says how to make one',
    async (setting) => {
      const command = start(`serve --set http.port=0 --set ${setting}`);
      running.push(command);
      await command.said(/none is in force[^\n]*token make NAME --scope admin/);
      const port = /:(\d+)$/m.exec(command.saying().stdout)?.[1] ?? '';
      const url = setting.startsWith('http.host') ? `http://0.0.0.0:${port}` : `http://127.0.0.1:${port}`;
      expect((await fetch(`${url}/healthz`)).status).toBe(200);
      expect((await fetch(`${url}/v1/runs`)).status).toBe(401);
      const made = await fetch(`${url}/v1/tokens`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ owner: 'eve', scope: 'admin' }),
      });
      expect(made.status).toBe(401);
      expect((await colligate('token list')).stdout).toBe('');
    },
  );

  test.each([
    [
      'serve',
      { TEMPORAL_NAMESPACE: 'nowhere' },
      /no namespace "nowhere".*temporal operator namespace create nowhere/,
    ],
    [
      'worker',
      { TEMPORAL_NAMESPACE: 'nowhere' },
      /no namespace "nowhere".*temporal operator namespace create nowhere/,
    ],
    [
      'serve',
      { COLLIGATE_DATA_DIR: '/proc/colligate' },
      /\/proc\/colligate.* cannot be opened.*use another data folder/,
    ],
    [
      'worker',
      { COLLIGATE_DATA_DIR: '/proc/colligate' },
      /\/proc\/colligate.* cannot be opened.*use another data folder/,
    ],
    [
      'serve',
      { COLLIGATE_STORES: 'redis', REDIS_URL: 'redis://127.0.0.1:1' },
      /Redis at redis:\/\/127\.0\.0\.1:1 .*Check REDIS_URL/,
    ],
  ])('%s with %j refuses to start in one sentence', async (line, env, sentence) => {
    const refused = await colligate(`${line} --set http.port=0`, { env });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(sentence);
    expect(refused.stderr).not.toContain('should not have happened');
  });

  test.each(['serve --set http.port=0', 'worker'])(
    '%s refuses to start where nothing can be written to the temporary folder',
    async (line) => {
      const refused = await project.spawn(line, { env: { ...project.env, TMPDIR: '/proc' } }).ended;
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toMatch(/temporary folder \/proc cannot be written: .*TMPDIR/);
    },
  );
});

describe('mcp', () => {
  const project = useDevProject();
  const SOURCES = [{ title: 'A note', content: 'Walking improved sleep by 12 % in 40 adults.' }];

  test('an agent that starts the command has a report written, and reads it', async () => {
    const client = newMcpClient('auto');
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [COMMAND_LINE, 'mcp'],
        cwd: project.folder,
        env: { ...getDefaultEnvironment(), ...project.env },
        stderr: 'ignore',
      }),
    );
    try {
      const asked = { question: 'Does walking improve sleep?', sources: SOURCES, key: 'one' };
      const { runId } = await jsonFrom<{ runId: string }>(client, 'start_report', asked);
      await until(
        () => jsonFrom<{ status: RunStatus }>(client, 'status', { runId }),
        ({ status }) => CLOSED_STATUSES.has(status),
      );
      expect((await callTool(client, 'result', { runId })).text).toContain('Walking improved sleep by 12 %');
      expect((await project.colligate('list')).stdout).toContain(runId);
    } finally {
      await client.close();
    }
  });

  test('on standard output there is the protocol alone, also for bytes that are none, and it ends with its input', async () => {
    const command = project.start('mcp --set logLevel=debug', {
      input: [
        'no JSON at all',
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"0"}}}',
        '{"jsonrpc":"2.0","id":2,"method":"nothing/known"}',
        '',
      ].join('\n'),
    });
    const { code, stdout } = await command.ended;
    expect(code).toBe(0);
    for (const line of stdout.split('\n').filter((text) => text !== ''))
      expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  });
});

const env = { COLLIGATE_ENCRYPTION_KEYS: `a:${Buffer.alloc(32, 1).toString('base64')}` };
const project = useProject();
const { colligate, start } = project;

test('codec needs keys, good flags, and a token where others reach it', async () => {
  const bare = await colligate('codec');
  expect(bare).toMatchObject({ code: 2, stdout: '' });
  expect(bare.stderr).toContain('COLLIGATE_ENCRYPTION_KEYS');
  const bad = await colligate('codec --port x --host 0.0.0.0 --origin ui', { env });
  expect(bad.code).toBe(2);
  for (const flag of ['--port is "x"', '--host is "0.0.0.0"', '--origin is "ui"'])
    expect(bad.stderr).toContain(flag);
});

test('codec answers those who bring the token, and stops at Ctrl-C', async () => {
  await project.write('token', 'open-sesame\n');
  const codec = start('codec --port 0 --token-file token --json', { env });
  await codec.said(/\n\}\s*$/);
  const { url } = JSON.parse(codec.saying().stdout) as { url: string };
  const encode = (headers: Record<string, string>): Promise<Response> =>
    fetch(`${url}/encode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ payloads: [{ metadata: { encoding: 'anNvbi9wbGFpbg==' }, data: 'MQ==' }] }),
    });
  expect((await encode({})).status).toBe(401);
  const answer = await encode({ authorization: 'Bearer open-sesame' });
  expect(JSON.stringify(await answer.json())).toContain(Buffer.from('binary/encrypted').toString('base64'));
  codec.stop();
  const { code, stdout, stderr } = await codec.ended;
  expect(code).toBe(0);
  expect(stdout + stderr).not.toMatch(/AQEB|sesame/);
});
