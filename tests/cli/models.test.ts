import { existsSync } from 'node:fs';
import path from 'node:path';
import { Report } from '../../src/contracts/report/report';
import { createGoodModel } from '../model-server/good-model';
import { answersJson, refuses } from '../model-server/behaviours';
import { startModelServer, type ModelServer } from '../model-server/model-server';
import { KEY, modelsAt, useProjectForEach } from './project-under-test';

const REPORT = 'report "Does exercise improve sleep?" --sources notes --id asked';
const BOTH = { models: ['small', 'large'] };
const project = useProjectForEach();
const { colligate, start } = project;
let server: ModelServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

test('an endpoint with its models makes reports by them, without another word', async () => {
  const model = createGoodModel();
  server = await startModelServer((request) => model.answer(request), BOTH);
  const result = await colligate(REPORT, { env: modelsAt(server.baseUrl) });
  expect(result).toMatchObject({ code: 0 });
  expect(result.stderr).toContain('openai engine');
  const report = Report.parse(JSON.parse(await project.read('reports/asked/report.json')));
  expect(report.provenance).toMatchObject({ engine: 'openai', models: { fast: 'small', strong: 'large' } });
  expect(report.usage.calls).toBe(model.bill.calls);
  expect(report.claims.length).toBeGreaterThan(0);
  expect(JSON.stringify(result)).not.toContain(KEY);
});

test.each([
  ['a key that is refused', refuses(401, { message: `Incorrect API key provided: ${KEY}` }), /key/i],
  [
    'a model that is not there',
    refuses(404, { message: 'The model `small` does not exist', code: 'model_not_found' }),
    /no model "small".*tiny/,
  ],
  [
    'an account without credit',
    refuses(429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }),
    /quota|credit/i,
  ],
])('%s pauses the run with one clear message and exit code 3', async (_what, behaviour, message) => {
  server = await startModelServer(() => behaviour, { models: ['tiny'] });
  const result = await colligate(REPORT, { env: modelsAt(server.baseUrl) });
  expect(result.code).toBe(3);
  expect(result.stderr).toMatch(message);
  expect(result.stderr).toMatch(/Run asked is paused, .* --id asked, or with: .*resume asked/s);
  expect(result.stderr).not.toMatch(/^\s+at /m);
  expect(JSON.stringify(result)).not.toContain(KEY);
});

test('a run that was paused for its key goes on with another, and asks nothing twice', async () => {
  const model = createGoodModel();
  server = await startModelServer(
    (request, index) =>
      // The first call is answered, so that something is kept.
      index > 0 && request.headers.authorization !== `Bearer ${KEY}-mended`
        ? refuses(401, { message: 'Incorrect API key provided' })
        : model.answer(request),
    BOTH,
  );
  const env = modelsAt(server.baseUrl);
  // In a process of its own, as a worker of this one would seem to go on.
  const first = await project.spawn(`${REPORT} --json`, { env: { ...project.env, ...env } }).ended;
  expect(first).toMatchObject({ code: 3 });
  expect(JSON.parse(first.stdout)).toMatchObject({
    id: 'asked',
    status: 'paused',
    parked: { reason: expect.stringContaining('API key') as string },
  });
  const second = await colligate(REPORT, { env: { ...env, OPENAI_API_KEY: `${KEY}-mended` } });
  expect(second).toMatchObject({ code: 0 });
  expect(second.stderr).toContain('It was paused since');
  // Of what was refused nothing is known: an answer that was to be mended may do as it is.
  const answered = server.asked.filter(
    ({ headers }, index) => index === 0 || headers.authorization === `Bearer ${KEY}-mended`,
  );
  expect(model.bill.calls).toBe(answered.length);
  expect(new Set(answered.map(({ body }) => JSON.stringify(body))).size).toBe(answered.length);
});

test('--no-wait fails the run, with exit code 3', async () => {
  server = await startModelServer(() => refuses(401, { message: 'Incorrect API key provided' }), {
    models: ['small', 'large'],
  });
  const result = await colligate(`${REPORT} --no-wait`, { env: modelsAt(server.baseUrl) });
  expect(result.code).toBe(3);
  expect(result.stderr).toMatch(/Run asked failed: .*API key/);
});

test('a wrong address and a refused key are told before a server is started or anything is stored', async () => {
  server = await startModelServer(() => refuses(404, { message: 'Nothing is here' }));
  const wrong = await colligate(REPORT, { env: modelsAt(`${server.origin}/elsewhere`) });
  expect(wrong.code).toBe(3);
  expect(wrong.stderr).toMatch(/error: .*elsewhere/);
  await server.close();
  server = await startModelServer(() => refuses(401, { message: 'Incorrect API key' }));
  const refused = await colligate(REPORT, { env: modelsAt(server.baseUrl) });
  expect(refused.code).toBe(3);
  expect(refused.stderr).toMatch(/key/i);
  expect(existsSync(path.join(project.folder, '.colligate'))).toBe(false);
});

test('that an endpoint is away is said before the run starts', async () => {
  const away = await startModelServer([]);
  await away.close();
  const command = start(REPORT, { env: modelsAt(away.baseUrl) });
  await command.said(/There is no connection to .* The run waits for it/);
  command.stop();
  expect((await command.ended).code).toBe(130);
});

test('a worker without an endpoint does not count for a run that asks models: the command asks them itself', async () => {
  const model = createGoodModel();
  server = await startModelServer((request) => model.answer(request), BOTH);
  const worker = start('worker');
  try {
    await worker.said(/Ctrl-C stops it/);
    const env = modelsAt(server.baseUrl);
    const detached = await colligate(`${REPORT} --detach`, { env });
    expect(detached).toMatchObject({ code: 2 });
    expect(detached.stderr).toMatch(/no worker that runs has a model endpoint/);
    const result = await colligate(REPORT, { env });
    expect(result.stderr).toMatch(/one in this process asks the models/);
    expect(result.code).toBe(0);
  } finally {
    worker.stop();
    await worker.ended;
  }
});

test('doctor --model asks each model once, and says what the endpoint can do', async () => {
  server = await startModelServer(({ body }) =>
    body?.['response_format'] !== undefined &&
    JSON.stringify(body['response_format']).includes('json_schema') &&
    body['model'] === 'small'
      ? refuses(400, { message: 'response_format of type json_schema is not supported' })
      : answersJson({ answer: 4 }),
  );
  const result = await colligate('doctor --model --json', { env: modelsAt(server.baseUrl) });
  const { checks } = JSON.parse(result.stdout) as { checks: { name: string; detail: string }[] };
  const models = checks.filter(({ name }) => name.startsWith('model '));
  expect(models.map(({ name }) => name)).toEqual(['model fast', 'model strong, critic']);
  expect(models[0]?.detail).toContain('without a schema');
  expect(models[1]?.detail).toContain('keeps to a JSON schema');
  expect(result.stdout).not.toContain(KEY);
});

test('doctor --model without an endpoint says what to set', async () => {
  const result = await colligate('doctor --model');
  expect(result.code).toBe(3);
  expect(result.stdout).toContain('OPENAI_BASE_URL');
});

test.each([
  ['--max-tokens', '0'],
  ['--max-cost', 'little'],
  ['--max-time', 'soon'],
])('%s %s is refused before anything starts', async (flag, value) => {
  const result = await colligate(`${REPORT} ${flag} ${value}`);
  expect(result.code).toBe(2);
  expect(result.stderr).toContain(`${flag} (flag) is`);
});
