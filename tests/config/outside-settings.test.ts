import { inspect } from 'node:util';
import { useConfigFolder } from './config-folder';

const { writeConfigFile, load, problemsOf, toldProblems } = useConfigFolder();

const LANGFUSE = {
  LANGFUSE_BASE_URL: 'https://langfuse.example',
  LANGFUSE_PUBLIC_KEY: 'pk-canary',
  LANGFUSE_SECRET_KEY: 'sk-canary',
};

test('prompts are the program’s and nobody is told of runs unless it is wanted', () => {
  expect(load()).toMatchObject({
    prompts: {
      provider: 'code',
      label: 'production',
      versions: {},
      names: {},
      cacheTtlMs: 60_000,
      timeoutMs: 2_000,
    },
    langfuse: { baseUrl: null, publicKey: null, secretKey: null },
    telemetry: { endpoint: null, headers: null, langfuse: false, content: false },
  });
});

test('each is read from the environment, and the tables from the file', () => {
  writeConfigFile({ prompts: { versions: { outline: 3, answer: null }, names: { answer: 'synthesis' } } });
  const config = load({
    ...LANGFUSE,
    COLLIGATE_PROMPT_PROVIDER: 'langfuse',
    COLLIGATE_PROMPT_LABEL: 'dev',
    COLLIGATE_PROMPT_CACHE_TTL_MS: '0',
    COLLIGATE_PROMPT_TIMEOUT_MS: '500',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=hk-canary',
    COLLIGATE_TELEMETRY_LANGFUSE: 'true',
    COLLIGATE_TELEMETRY_CONTENT: '1',
  });
  expect(config.prompts).toEqual({
    provider: 'langfuse',
    label: 'dev',
    versions: { outline: 3, answer: null },
    names: { answer: 'synthesis' },
    cacheTtlMs: 0,
    timeoutMs: 500,
  });
  expect(config.telemetry).toMatchObject({
    endpoint: 'http://localhost:4318',
    langfuse: true,
    content: true,
  });
  const revealed = [config.langfuse.publicKey, config.langfuse.secretKey, config.telemetry.headers];
  expect(revealed.map((secret) => secret?.reveal())).toEqual(['pk-canary', 'sk-canary', 'x-key=hk-canary']);
  const shown = `${JSON.stringify(config)} ${inspect(config, { depth: 9, showHidden: true })}`;
  expect(shown).not.toContain('canary');
});

test('Langfuse is not used without its address and its keys', () => {
  const keys = 'together with LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY';
  const problems = toldProblems({
    COLLIGATE_PROMPT_PROVIDER: 'langfuse',
    COLLIGATE_TELEMETRY_LANGFUSE: 'true',
    LANGFUSE_BASE_URL: 'https://langfuse.example',
  });
  expect(problems).toEqual([
    `COLLIGATE_PROMPT_PROVIDER (environment) "langfuse": code, or langfuse ${keys}`,
    `COLLIGATE_TELEMETRY_LANGFUSE (environment) true: false, or true ${keys}`,
  ]);
});

test('headers that are none are a problem, and are not shown', () => {
  expect(toldProblems({ OTEL_EXPORTER_OTLP_HEADERS: 'canary' })).toEqual([
    'OTEL_EXPORTER_OTLP_HEADERS (environment) (hidden): name=value pairs with commas between them',
  ]);
});

test('keys are refused in the file', () => {
  writeConfigFile({ langfuse: { secretKey: 'sk-canary' }, telemetry: { headers: 'x=canary' } });
  expect(problemsOf().map(({ name, value }) => [name, value])).toEqual([
    ['langfuse.secretKey', '(hidden)'],
    ['telemetry.headers', '(hidden)'],
  ]);
});
