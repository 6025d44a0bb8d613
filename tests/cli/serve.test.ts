import { jsonOf } from '../support/http-bench';
import type { RunningCommand } from './command-line-under-test';
import { useProject } from './project-under-test';

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
  // It looks at the stores as another process would, while they are open here.
  expect(await (await fetch(`${url}/service`, { headers: { accept: 'text/html' } })).text()).toContain(
    'data folder',
  );
  const audit = (await project.read('.colligate/http-audit.jsonl')).trim().split('\n');
  expect(audit.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ owner: 'local', token: null, method: 'POST', path: '/v1/runs' }),
    expect.objectContaining({ path: '/v1/runs', status: 201 }),
  ]);

  const made = await json<{ id: string; token: string }>('token make ann --scope read --json');
  expect((await list()).status).toBe(401);
  expect(await jsonOf(list(made.token))).toEqual({ runs: [], next: null });
  const listed = await colligate('token list');
  expect(listed.stdout).toContain('ann');
  expect(listed.stdout).not.toContain(made.token);
  expect((await colligate(`token revoke ${made.id}`)).code).toBe(0);
  expect((await colligate(`token revoke ${made.id}`)).code).toBe(2);
});

test('it does not let others in while there is no token', async () => {
  const refused = await colligate('serve --set http.host=0.0.0.0 --set http.port=0');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/http\.host|COLLIGATE_HTTP_HOST/);
  expect(refused.stderr).toContain('token make');
});
