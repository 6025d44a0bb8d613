import { existsSync } from 'node:fs';
import path from 'node:path';
import { loadConfig } from '../../src/app/config';
import { examineOutside, type Finding } from '../../src/cli/doctor';
import { Report } from '../../src/contracts/report';
import { answers, answersJson, refuses } from '../model-server/behaviours';
import { createGoodModel, messagesOf } from '../model-server/good-model';
import { addressOf, type Beside, llamaCpp, ollama, startLocalServer } from '../model-server/local-servers';
import {
  type ModelServer,
  type RecordedRequest,
  type Script,
  startModelServer,
} from '../model-server/model-server';
import { stepOfPrompt } from '../model-server/prompt-material';
import { langfuseEnvironment, type OutsideReceiver, startOutsideReceiver } from '../support/outside-receiver';
import { SYNTHESIS_PROMPT } from '../support/synthesis-prompt';
import { openTestNamespace } from '../support/temporal-server';
import type { CommandResult } from './command-line-under-test';
import { KEY, modelsAt, useProjectForEach } from './project-under-test';

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

const ASKED = '"Does exercise improve sleep?" --sources notes';
const NOWHERE = '127.0.0.1:1';
const MODELS = ollama([
  { name: 'nomic-embed-text:latest', parameterSize: '137M', family: 'nomic-bert' },
  { name: 'llama3.1:8b', parameterSize: '8.0B', loadsWith: 16_384 },
  { name: 'qwen3:4b', parameterSize: '4.0B', numCtx: 8_192 },
]);

describe('models of this machine', () => {
  const project = useProjectForEach();
  const opened: ModelServer[] = [];
  afterEach(async () => {
    for (const server of opened.splice(0)) await server.close();
  });

  async function served(
    beside: Beside,
    script: Script = () => answersJson({ answer: 4 }),
  ): Promise<ModelServer> {
    const server = await startLocalServer(beside, script);
    opened.push(server);
    return server;
  }
  const envOf = (...addresses: string[]) => ({ COLLIGATE_LOCAL_SERVERS: addresses.join(',') });

  test('--engine local writes a report with the largest model, its window and one call at a time', async () => {
    const model = createGoodModel();
    let atOnce = 0;
    let most = 0;
    const server = await served(MODELS, (request) => async (...given) => {
      most = Math.max(most, (atOnce += 1));
      await model.answer(request)(...given);
      atOnce -= 1;
    });
    const env = { ...envOf(NOWHERE, addressOf(server)), OPENAI_API_KEY: 'sk-of-another' };
    const result = await project.colligate(`report ${ASKED} --engine local --id asked`, { env });
    expect(result).toMatchObject({ code: 0 });
    expect(result.stderr).toContain(
      `Using llama3.1:8b at Ollama (${addressOf(server)}), 16,384 tokens of context, one call at a time.`,
    );
    const report = Report.parse(JSON.parse(await project.read('reports/asked/report.json')));
    expect(report.provenance).toMatchObject({ engine: 'openai', models: { fast: 'llama3.1:8b' } });
    expect(most).toBe(1);
    expect(server.requests.some(({ headers }) => headers.authorization?.includes('sk-of-another'))).toBe(
      false,
    );
  });

  test('a named model is taken, by a flag or by the settings, with its own window', async () => {
    const model = createGoodModel();
    const server = await served(MODELS, (request) => model.answer(request));
    const env = envOf(addressOf(server));
    const said = `Using qwen3:4b at Ollama (${addressOf(server)}), 8,192 tokens of context, one call at a time.`;
    const flag = await project.colligate(`answer ${ASKED} --engine local --model qwen3:4b`, { env });
    expect(flag.stderr).toContain(said);
    const settings = await project.colligate(`answer ${ASKED} --estimate`, {
      env: { ...env, COLLIGATE_ENGINE: 'local', COLLIGATE_MODEL_STRONG: 'qwen3:4b' },
    });
    expect(settings.stderr).toContain(said);
    expect(new Set(server.asked.map(({ body }) => body?.['model']))).toEqual(new Set(['qwen3:4b']));
  });

  test('a server with slots is asked as often at once', async () => {
    const server = await served(llamaCpp({ id: 'gemma.gguf', nCtx: 4_096, slots: 4 }));
    const { stdout } = await project.colligate('doctor --json --set engine=local', {
      env: envOf(addressOf(server)),
    });
    expect(stdout).toContain(
      `Using gemma.gguf at llama.cpp (${addressOf(server)}), 4,096 tokens of context, 4 calls at a time.`,
    );
  });

  test('no server, and a model that none has, are mistakes of the user', async () => {
    const none = await project.colligate(`report ${ASKED} --engine local`, { env: envOf(NOWHERE) });
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toMatch(
      /No server of models answers on this machine: looked at 127\.0\.0\.1:1 .*ollama serve/,
    );
    const server = await served(MODELS);
    const unknown = await project.colligate(`report ${ASKED} --engine local --model gpt-4o`, {
      env: envOf(addressOf(server)),
    });
    expect(unknown).toMatchObject({ code: 2 });
    expect(unknown.stderr).toMatch(
      /has gpt-4o\. Ollama \(.*\) has nomic-embed-text:latest, llama3\.1:8b, qwen3:4b\. .*--model/,
    );
  });

  test('--model without an engine that asks models is a mistake', async () => {
    const result = await project.colligate(`report ${ASKED} --model llama3.1:8b`, { env: envOf(NOWHERE) });
    expect(result).toMatchObject({ code: 2 });
    expect(result.stderr).toContain('--engine local');
  });

  test('where no engine is chosen one line says that a server runs, and no model is asked', async () => {
    const server = await served(MODELS);
    const env = envOf(addressOf(server));
    const hint = 'Ollama is running here with 2 models; --engine local uses it.';
    const unchosen = await project.colligate(`answer ${ASKED} --estimate`, { env });
    expect(unchosen).toMatchObject({ code: 0 });
    expect(unchosen.stdout).toContain('No model: costs nothing.');
    expect(unchosen.stderr.split(hint)).toHaveLength(2);
    for (const option of ['--json', '--engine extractive']) {
      const { stderr } = await project.colligate(`answer ${ASKED} --estimate ${option}`, { env });
      expect(stderr).not.toContain(hint);
    }
    expect(server.asked).toHaveLength(0);
  });

  test('doctor lists the servers, and --model tries what a run needs', async () => {
    const numbers = Array.from({ length: 400 }, (_, at) => at + 1).join(', ');
    const server = await served(MODELS, (request) => {
      const text = messagesOf(request).join('\n');
      if (text.includes('two plus two')) return answersJson({ answer: 4 });
      return text.includes('whole numbers')
        ? answers(numbers.slice(0, 500), { finishReason: 'length' })
        : answers('Flour.\n\nMARIGOLD');
    });
    const env = envOf(addressOf(server));
    const { stdout } = await project.colligate('doctor --model --json --set engine=local', { env });
    const { checks } = JSON.parse(stdout) as { checks: Finding[] };
    const detail = (name: string): string | undefined => checks.find((check) => check.name === name)?.detail;
    expect(detail('local models')).toContain(
      '3 models (nomic-embed-text:latest, llama3.1:8b, qwen3:4b); --engine local takes llama3.1:8b',
    );
    expect(detail('model fast, strong, critic')).toContain('keeps to a JSON schema');
    expect(detail('system message')).toBe('llama3.1:8b follows it');
    expect(detail('long answer')).toMatch(/cut off at \d+ of 400 numbers: Colligate asks in parts/);
    expect(detail('stream')).toBe('llama3.1:8b answers in parts');
    expect(detail('context')).toBe('llama3.1:8b takes 16,384 tokens, question and answer together');
  });

  test('an endpoint on this machine is asked for the windows of its models, and what is set wins', async () => {
    const server = await served(MODELS);
    const env = {
      OPENAI_BASE_URL: server.baseUrl,
      COLLIGATE_MODEL_FAST: 'qwen3:4b',
      COLLIGATE_MODEL_STRONG: 'llama3.1:8b',
      COLLIGATE_CONTEXT_TOKENS: '{"llama3.1:8b": 2048}',
      ...envOf(NOWHERE),
    };
    const { stdout } = await project.colligate('doctor --model --json', { env });
    expect(stdout).toContain('qwen3:4b takes 8,192 tokens');
    expect(stdout).toContain('llama3.1:8b takes 2,048 tokens');
  });

  test('a report through a server that cuts prompts cites as many sources as one through a server that reads all', async () => {
    const CUT_AT = 4_096;
    const model = createGoodModel();
    for (let at = 1; at <= 16; at += 1) await project.write(`long/study-${at}.md`, longStudy(at));
    const server = await startModelServer(
      (request) => {
        const cuts = request.body?.['model'] === 'cutting';
        const tokens = Math.ceil(messagesOf(request).join('\n').length / 4);
        // The end of a prompt without its beginning: the model does not know what is asked.
        return cuts && tokens > CUT_AT
          ? answers('What do you need?', { usage: { prompt_tokens: CUT_AT, completion_tokens: 5 } })
          : model.answer(request);
      },
      { models: ['reading', 'cutting'] },
    );
    opened.push(server);
    const cited: number[] = [];
    for (const name of ['reading', 'cutting']) {
      // The server lists the worker of the first command for a minute, and the second would wait for it.
      const { namespace } = await openTestNamespace();
      const env = {
        ...envOf(NOWHERE),
        TEMPORAL_NAMESPACE: namespace,
        OPENAI_BASE_URL: server.baseUrl,
        COLLIGATE_MODEL_FAST: name,
        COLLIGATE_MODEL_STRONG: name,
      };
      const asked = `report "Does exercise improve sleep?" --sources long --id ${name}`;
      const result = await project.colligate(asked, { env });
      expect(result).toMatchObject({ code: 0 });
      const report = Report.parse(JSON.parse(await project.read(`reports/${name}/report.json`)));
      cited.push(new Set(report.claims.flatMap(({ citations }) => citations)).size);
      const told = report.warnings.filter(({ code }) => code === 'prompt-cut');
      expect(told).toHaveLength(name === 'cutting' ? 1 : 0);
    }
    expect(cited[1]).toBeGreaterThanOrEqual(cited[0] ?? 16);
  });
});

/** A study of about 3,000 characters. */
function longStudy(at: number): string {
  const paragraphs = Array.from({ length: 8 }, (_, part) =>
    [
      `In part ${part + 1} of trial ${at} we followed ${40 + at * 7 + part} adults who exercised for ${6 + part} weeks.`,
      `Total sleep time increased by ${10 + at + part} minutes in the exercise group (p = 0.0${1 + (at % 8)}).`,
      `Sleep quality improved by ${1 + (part % 5)}.${at % 10} points compared with the control group of trial ${at}.`,
    ].join(' '),
  );
  return `---\ntitle: "Trial ${at} of exercise and sleep"\ndate: ${2000 + at}\n---\n\n# Trial ${at} of exercise and sleep\n\n${paragraphs.join('\n\n')}\n`;
}
