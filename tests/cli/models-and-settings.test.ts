import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Finding } from '../../src/cli/doctor/doctor-finding';
import { loadConfig } from '../../src/config/config';
import { Report } from '../../src/contracts/report/report';
import { answers, answersJson, refuses } from '../model-server/behaviours';
import { createGoodModel, messagesOf } from '../model-server/good-model';
import { type ModelServer, type RecordedRequest, startModelServer } from '../model-server/model-server';
import { stepOfPrompt } from '../model-server/prompt-material';
import { langfuseEnvironment, type OutsideReceiver, startOutsideReceiver } from '../support/outside-receiver';
import { SYNTHESIS_PROMPT } from '../support/synthesis-prompt';
import { openTestNamespace } from '../support/temporal-server';
import type { CommandResult } from './command-line-under-test';
import { KEY, modelsAt, useProjectForEach } from './project-under-test';
import { examineOutside } from '../../src/cli/doctor/doctor';

describe('models', () => {
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

  test('a limit of hours is told at once; --no-wait leaves the run to it, with exit code 3, and nothing is lost', async () => {
    const model = createGoodModel();
    let isSpent = true;
    server = await startModelServer((request, index) => {
      if (!isSpent || index === 0) return model.answer(request);
      const reset = String(Date.now() + 8 * 3_600_000);
      return refuses(
        429,
        { message: 'Rate limit exceeded: free-models-per-day' },
        { 'x-ratelimit-reset': reset },
      );
    }, BOTH);
    const env = modelsAt(server.baseUrl);
    const sentence = new RegExp(
      `(?:small|large) at ${new URL(server.origin).host} takes no more requests until (?:\\d+ \\w+, )?\\d\\d:\\d\\d \\(in (?:8 h 0|7 h 59) min\\): Rate limit exceeded: free-models-per-day`,
    );
    // In a process of its own, as a worker of this one would seem to go on.
    const left = await project.spawn(`${REPORT} --no-wait --json`, { env: { ...project.env, ...env } }).ended;
    expect(left.code).toBe(3);
    expect(left.stderr).toMatch(sentence);
    expect(left.stderr).toMatch(/Run asked is kept, and goes on by itself then where a worker runs/);
    expect(JSON.parse(left.stdout)).toMatchObject({
      id: 'asked',
      status: 'waiting',
      waiting: { until: expect.any(String) as string },
    });
    const { length } = server.asked;
    // No worker runs now: the server's own records have it.
    const told = await colligate('status asked', { env });
    expect(told.stdout).toMatch(sentence);
    isSpent = false;
    await colligate('resume asked', { env });
    const second = await colligate(REPORT, { env });
    expect(second).toMatchObject({ code: 0 });
    const answered = server.asked.filter((_request, index) => index === 0 || index >= length);
    expect(model.bill.calls).toBe(answered.length);
    expect(new Set(answered.map(({ body }) => JSON.stringify(body))).size).toBe(answered.length);
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
});

describe('settings', () => {
  const OBSERVED = `Source: DAIL-SQL_paper.pdf (Page 3)
Content: DAIL-SQL uses example-based learning and achieves 89.2% execution accuracy on the Spider benchmark.
Similarity: 0.89
`;
  const DOCUMENT_FIRST_LINE = 'You are the Synthesis agent';

  const project = useProjectForEach();
  let server: ModelServer;

  beforeEach(async () => {
    const model = createGoodModel();
    const written = answers('DAIL-SQL achieves 89.2% execution accuracy on the Spider benchmark [1].');
    server = await startModelServer(
      (request) => (userOf(request).includes(DOCUMENT_FIRST_LINE) ? written : model.answer(request)),
      { models: ['small', 'large', 'gpt-4-turbo'] },
    );
  });
  afterEach(() => server.close());

  const userOf = (request: RecordedRequest): string => messagesOf(request).at(-1) ?? '';

  test('an answer is written with document 001’s own prompt, model, temperature and history', async () => {
    const langfuse = await startOutsideReceiver();
    langfuse.prompts = [
      { name: 'synthesis', version: 7, labels: ['production', 'latest'], prompt: SYNTHESIS_PROMPT },
    ];
    await project.write('pdf.txt', OBSERVED);
    await project.write('colligate.config.json', {
      prompts: { provider: 'langfuse' },
      answers: { model: 'gpt-4-turbo', temperature: 1 },
    });
    const { code, stdout, stderr } = await project.colligate(
      'answer "What is DAIL-SQL?" --observations pdf.txt --json --set answers.temperature=0.4',
      { env: { ...modelsAt(server.baseUrl), ...langfuseEnvironment(langfuse) } },
    );
    await langfuse.close();
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'answered',
      citations: [{ n: 1, document: 'DAIL-SQL_paper.pdf' }],
      provenance: { prompts: { answer: { name: 'synthesis', version: '7', from: 'langfuse' } } },
    });
    const [written] = server.asked.filter((request) => userOf(request).includes(DOCUMENT_FIRST_LINE));
    expect(written?.body).toMatchObject({ model: 'gpt-4-turbo', temperature: 0.4 });
    const [before = '', between = '', behind = ''] = SYNTHESIS_PROMPT.split(/\{\{\w+\}\}/);
    const told = written === undefined ? '' : userOf(written);
    expect(told.startsWith(`${before}What is DAIL-SQL?${between}`)).toBe(true);
    expect(told).toContain('achieves 89.2% execution accuracy');
    expect(told).toContain(behind);
  });

  test('a report is written with temperature 0, and with another where that is set; the rest is asked with 0', async () => {
    const temperatures = (): Record<string, unknown> =>
      Object.fromEntries(
        server.asked.map((request) => [stepOfPrompt(...messagesOf(request)), request.body?.['temperature']]),
      );
    const run = async (flags: string): Promise<CommandResult> => {
      const { namespace } = await openTestNamespace();
      return project.colligate(`report "Does exercise improve sleep?" --sources notes --no-judge ${flags}`, {
        env: { ...modelsAt(server.baseUrl), TEMPORAL_NAMESPACE: namespace },
      });
    };
    expect(await run('--id plain')).toMatchObject({ code: 0 });
    expect(new Set(Object.values(temperatures()))).toEqual(new Set([0]));
    expect(await run('--id warm --set synthesis.temperature=0.3')).toMatchObject({ code: 0 });
    expect(temperatures()).toMatchObject({
      'write-text': 0.3,
      'audit-text': 0,
      outline: 0,
    });
  });

  test('a wrong --set is told with every other mistake, and doctor says what is set and where', async () => {
    const wrong = 'answer "What is it?" --citations footnotes --set answers.temprature=1';
    expect(await project.colligate(wrong)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /did you mean answers\.temperature\?[^]*--citations \(flag\) is "footnotes"/,
      ),
    });
    const { stdout } = await project.colligate('doctor --set answers.maxHistory=3', {
      env: { COLLIGATE_ANSWERS_CITATIONS: 'inline' },
    });
    expect(stdout).toContain('answers.maxHistory is 3 (flag)');
    expect(stdout).toContain('answers.citations is "inline" (COLLIGATE_ANSWERS_CITATIONS)');
  });
});

describe('doctor of services outside', () => {
  let receiver: OutsideReceiver;
  beforeEach(async () => {
    receiver = await startOutsideReceiver();
  });
  afterEach(() => receiver.close());

  function examine(env: Record<string, string>): Promise<Finding[]> {
    return examineOutside(loadConfig({ cwd: '/', env }));
  }

  function everything(): Record<string, string> {
    return {
      ...langfuseEnvironment(receiver),
      COLLIGATE_PROMPT_PROVIDER: 'langfuse',
      COLLIGATE_TELEMETRY_LANGFUSE: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.origin,
    };
  }

  test('Langfuse and a collector that answer are said to, and get nothing of a run', async () => {
    const findings = await examine(everything());
    expect(findings.map(({ name, state, detail }) => `${state} ${name}: ${detail}`)).toEqual([
      `ok langfuse: ${receiver.origin}/api/public/projects answers`,
      `ok traces: ${receiver.origin}/v1/traces answers`,
      `ok traces: ${receiver.origin}/api/public/otel/v1/traces answers`,
      'ok prompts: Langfuse’s with the label production, and those of the program behind them',
    ]);
    expect(receiver.spans()).toEqual([]);
  });

  test('what does not answer, or refuses the keys, is a note that says what to look at', async () => {
    const wrong = await examine({ ...everything(), LANGFUSE_SECRET_KEY: 'sk-other-canary' });
    expect(wrong[0]).toMatchObject({
      state: 'note',
      detail: expect.stringContaining('it refuses the keys (401)'),
    });
    expect(wrong[0]?.advice).toMatch(/LANGFUSE_SECRET_KEY/);
    expect(JSON.stringify(wrong)).not.toContain('canary');

    const env = everything();
    await receiver.close();
    const gone = await examine(env);
    expect(gone.map(({ state }) => state)).toEqual(['note', 'note', 'note', 'ok']);
    expect(gone[1]?.detail).toBe(`${receiver.origin}/v1/traces: it does not answer`);
    receiver = await startOutsideReceiver();
  });
});
