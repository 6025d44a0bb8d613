import type { Finding } from '../../src/cli/doctor/doctor-finding';
import { Report } from '../../src/contracts/report/report';
import { answers, answersJson } from '../model-server/behaviours';
import { createGoodModel, messagesOf } from '../model-server/good-model';
import { addressOf, type Beside, llamaCpp, ollama, startLocalServer } from '../model-server/local-servers';
import { type ModelServer, type Script, startModelServer } from '../model-server/model-server';
import { useProjectForEach } from './project-under-test';

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
      const env = {
        ...envOf(NOWHERE),
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
