import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { inspect } from 'node:util';
import { z } from 'zod';
import { loadConfig, type Config, type ConfigFlags } from '../../src/config/config';
import { ConfigError, type ConfigProblem } from '../../src/config/config-error';
import { engineNames } from '../../src/contracts/run/engines';
import { ConfigSchema, environmentNames, fileOnlyPaths } from '../../src/config/schema';

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'colligate-config-'));
});

afterEach(() => {
  rmSync(cwd, { recursive: true });
});

function writeConfigFile(content: unknown): void {
  writeFileSync(
    join(cwd, 'colligate.config.json'),
    typeof content === 'string' ? content : JSON.stringify(content),
  );
}

function load(env: Record<string, string> = {}, flags: ConfigFlags = {}): Config {
  return loadConfig({ cwd, env: { HOME: '/home/somebody', ...env }, flags });
}

function problemsOf(env: Record<string, string> = {}, flags: ConfigFlags = {}): readonly ConfigProblem[] {
  try {
    load(env, flags);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('The configuration was accepted');
}

test('without any configuration everything has its default', () => {
  const config = load();
  expect(config).toMatchObject({
    engine: 'extractive',
    dataDir: join(cwd, '.colligate'),
    outDir: join(cwd, 'reports'),
    logLevel: 'info',
    temporal: { address: null, namespace: 'default', taskQueue: 'colligate', tls: false, apiKey: null },
    openai: {
      baseUrl: null,
      apiKey: null,
      apiKeyFile: null,
      models: { fast: null, strong: null, critic: null },
      prices: {},
      contextTokens: {},
      timeoutMs: 300_000,
      firstByteMs: 180_000,
      inactivityMs: 60_000,
      maxConcurrentCalls: 8,
      requestsPerSecond: null,
      cacheTtlMs: 2_592_000_000,
    },
    budget: {},
    outages: { patienceMs: 86_400_000 },
    worker: {
      maxConcurrentActivities: 8,
      threads: Math.min(64, availableParallelism()),
      shutdownGraceMs: 10_000,
    },
  });
  expect(config.synthesis).toEqual({
    enableMultiPass: true,
    pass1SummaryCount: -1,
    pass2FullContentCount: 50,
    pass3CrossRefCount: 30,
    maxTotalChars: 400_000,
    maxCharsPerSource: 30_000,
    minCharsPerSource: 5_000,
    minCitationsPerSection: 3,
    minTotalCitations: 50,
    targetReportLength: 7_500,
    enableCrossReference: true,
    enableFactChecking: true,
    enableConflictDetection: true,
    confidenceThreshold: 0.7,
    overviewModel: null,
    deepdiveModel: null,
    citationStyle: 'numbered',
    sourceQualityRules: [],
  });
});

test('flags win over the environment, the environment over the file, the file over defaults', () => {
  writeConfigFile({
    synthesis: { targetReportLength: 1000, minTotalCitations: 11, confidenceThreshold: 0.5 },
    worker: { threads: 1 },
  });
  const config = load(
    {
      COLLIGATE_TARGET_REPORT_LENGTH: '2000',
      COLLIGATE_MIN_TOTAL_CITATIONS: '22',
      COLLIGATE_MAX_COST_USD: '0.25',
    },
    { 'synthesis.targetReportLength': '3000' },
  );
  expect(config.synthesis.targetReportLength).toBe(3000);
  expect(config.synthesis.minTotalCitations).toBe(22);
  expect(config.synthesis.confidenceThreshold).toBe(0.5);
  expect(config.worker.threads).toBe(1);
  expect(config.budget).toEqual({ maxCostUsd: 0.25 });
});

test('all problems come at once, each with where it came from, its value and what is allowed', () => {
  writeConfigFile({
    engine: 'magic',
    synthesis: { targetReportLenght: 5000, minTotalCitations: 0 },
    worker: 3,
    surplus: true,
  });
  const problems = problemsOf(
    {
      COLLIGATE_MAX_TOKENS: 'many',
      TEMPORAL_ADDRESS: 'http://host',
      COLLIGATE_LOG_LEVEL: 'loud',
      TEMPORAL_TLS: 'yes',
    },
    { 'synthesis.targetReportLength': '12.5', 'budget.maxTimeMs': -1 },
  );
  expect(problems).toEqual(
    expect.arrayContaining([
      { name: 'engine', from: 'file', value: '"magic"', allowed: engineNames.join(', ') },
      {
        name: 'synthesis.targetReportLenght',
        from: 'file',
        value: 'not a setting',
        allowed: 'did you mean synthesis.targetReportLength?',
      },
      {
        name: 'synthesis.minTotalCitations',
        from: 'file',
        value: '0',
        allowed: 'a whole number from 1 to 1000',
      },
      { name: 'worker', from: 'file', value: '3', allowed: 'a JSON object' },
      {
        name: 'surplus',
        from: 'file',
        value: 'not a setting',
        allowed: expect.stringContaining('engine, dataDir'),
      },
      {
        name: 'COLLIGATE_MAX_TOKENS',
        from: 'environment',
        value: '"many"',
        allowed: 'a whole number above 0',
      },
      {
        name: 'TEMPORAL_ADDRESS',
        from: 'environment',
        value: '"http://host"',
        allowed: 'host:port, such as localhost:7233',
      },
      {
        name: 'COLLIGATE_LOG_LEVEL',
        from: 'environment',
        value: '"loud"',
        allowed: 'silent, fatal, error, warn, info, debug, trace',
      },
      { name: 'TEMPORAL_TLS', from: 'environment', value: '"yes"', allowed: 'true, false' },
      { name: '--words', from: 'flag', value: '12.5', allowed: 'a whole number from 300 to 50000' },
      { name: '--max-time', from: 'flag', value: '-1', allowed: 'a whole number above 0' },
    ]),
  );
  expect(problems).toHaveLength(11);
});

test('limits that contradict each other are a problem, shown beside the others', () => {
  const problems = problemsOf({
    COLLIGATE_MIN_CHARS_PER_SOURCE: '40000',
    COLLIGATE_PASS_2_FULL_CONTENT_COUNT: '1000',
  });
  expect(problems).toEqual([
    {
      name: 'COLLIGATE_PASS_2_FULL_CONTENT_COUNT',
      from: 'environment',
      value: '1000',
      allowed: 'a whole number from 1 to 100',
    },
    {
      name: 'COLLIGATE_MIN_CHARS_PER_SOURCE',
      from: 'environment',
      value: '40000',
      allowed: 'at most what synthesis.maxCharsPerSource is',
    },
  ]);
});

test('a default that contradicts what was set is named with its value', () => {
  expect(problemsOf({ COLLIGATE_MAX_CHARS_PER_SOURCE: '2000' })).toEqual([
    {
      name: 'synthesis.minCharsPerSource',
      from: 'default',
      value: '5000',
      allowed: 'at most what synthesis.maxCharsPerSource is',
    },
  ]);
});

test('the message of the error lists each problem on a line of its own', () => {
  expect(() => load({ COLLIGATE_THREADS: '0', COLLIGATE_ENGINE: 'x' })).toThrow(
    'The configuration has 2 problems:\n' +
      `  COLLIGATE_ENGINE (environment) is "x"; allowed: ${engineNames.join(', ')}\n` +
      '  COLLIGATE_THREADS (environment) is 0; allowed: a whole number from 1 to 64',
  );
});

test('the openai engine needs an endpoint and models, and what is missing is named', () => {
  const needed = {
    OPENAI_BASE_URL: 'http://localhost:8000/v1',
    COLLIGATE_MODEL_FAST: 'small',
    COLLIGATE_MODEL_STRONG: 'large',
  };
  const others = engineNames.filter((name) => name !== 'openai').join(', ');
  expect(load(needed, { engine: 'openai' })).toMatchObject({
    engine: 'openai',
    openai: { models: { fast: 'small', strong: 'large', critic: null } },
  });
  expect(problemsOf({ COLLIGATE_MODEL_FAST: 'small' }, { engine: 'openai' })).toEqual([
    {
      name: '--engine',
      from: 'flag',
      value: '"openai"',
      allowed: `${others}, or openai together with OPENAI_BASE_URL, COLLIGATE_MODEL_STRONG`,
    },
  ]);
  for (const name of Object.keys(needed)) {
    const [problem] = problemsOf({ ...needed, [name]: '', COLLIGATE_ENGINE: 'openai' });
    expect(problem?.allowed).toBe(`${others}, or openai together with ${name}`);
  }
});

test('a configured endpoint alone still leaves the extractive engine', () => {
  expect(load({ OPENAI_BASE_URL: 'http://localhost:8000/v1', OPENAI_API_KEY: 'k' }).engine).toBe(
    'extractive',
  );
});

test.each([
  ['{"engine": ', 'a JSON object'],
  ['[]', 'a JSON object'],
])('a file of %p is one problem that names the file', (content, allowed) => {
  writeConfigFile(content);
  expect(problemsOf()).toEqual([
    { name: 'colligate.config.json', from: 'file', value: expect.any(String), allowed },
  ]);
});

test('a misspelt variable is pointed out, a foreign one is left alone', () => {
  expect(problemsOf({ COLLIGATE_ENGIN: 'extractive' })).toEqual([
    {
      name: 'COLLIGATE_ENGIN',
      from: 'environment',
      value: 'not a setting',
      allowed: 'did you mean COLLIGATE_ENGINE?',
    },
  ]);
  expect(load({ COLLIGATE_DATA: '/somewhere' }).engine).toBe('extractive');
});

test('an empty variable counts as absent', () => {
  expect(load({ TEMPORAL_ADDRESS: '', COLLIGATE_THREADS: '' }).temporal.address).toBeNull();
});

test('secrets are usable and never printed, and are refused in the file', () => {
  const config = load({ OPENAI_API_KEY: 'sk-canary', TEMPORAL_API_KEY: 'tk-canary' });
  expect(config.openai.apiKey?.reveal()).toBe('sk-canary');
  expect(`${JSON.stringify(config)} ${inspect(config, { depth: 9, showHidden: true })}`).not.toContain(
    'canary',
  );

  writeConfigFile({ openai: { apiKey: 'sk-canary' } });
  const problems = problemsOf();
  expect(problems).toEqual([
    {
      name: 'openai.apiKey',
      from: 'file',
      value: '(hidden)',
      allowed: 'in the environment only, as OPENAI_API_KEY',
    },
  ]);
});

test('models come by their role from the environment and the file, prices and windows from the file', () => {
  writeConfigFile({
    openai: {
      models: { fast: 'small', strong: 'large' },
      prices: { 'vendor/large-1.5': { input: 2.5, output: 10 } },
      contextTokens: { small: 8_192 },
      requestsPerSecond: 0.5,
    },
  });
  const { openai } = load({ COLLIGATE_MODEL_STRONG: 'larger', COLLIGATE_MODEL_TIMEOUT_MS: '5000' });
  expect(openai.models).toEqual({ fast: 'small', strong: 'larger', critic: null });
  expect(openai.prices).toEqual({ 'vendor/large-1.5': { input: 2.5, output: 10 } });
  expect(openai.contextTokens).toEqual({ small: 8_192 });
  expect(openai.requestsPerSecond).toBe(0.5);
  expect(openai.timeoutMs).toBe(5_000);
});

test('what is wrong within a table is told of the table, and a table has no variable', () => {
  writeConfigFile({
    openai: {
      prices: { large: { input: -1, output: 10 } },
      contextTokens: { small: 'much' },
      models: 'large',
    },
  });
  expect(problemsOf()).toEqual([
    { name: 'openai.models', from: 'file', value: '"large"', allowed: 'a JSON object' },
    expect.objectContaining({ name: 'openai.prices', allowed: expect.stringContaining('USD per million') }),
    expect.objectContaining({
      name: 'openai.contextTokens',
      allowed: expect.stringContaining('at least 512'),
    }),
  ]);
  expect(Object.values(environmentNames)).not.toContain('COLLIGATE_PRICES');
});

test('a key is read from a file, unless it is given itself', () => {
  writeFileSync(join(cwd, 'key.txt'), '\uFEFF sk-canary\n');
  const config = load({ OPENAI_API_KEY_FILE: 'key.txt' });
  expect(config.openai.apiKey?.reveal()).toBe('sk-canary');
  expect(`${JSON.stringify(config)} ${inspect(config, { depth: 9, showHidden: true })}`).not.toContain(
    'canary',
  );
  expect(load({ OPENAI_API_KEY_FILE: 'key.txt', OPENAI_API_KEY: 'sk-own' }).openai.apiKey?.reveal()).toBe(
    'sk-own',
  );
});

test.each([
  ['missing.txt', null, 'ENOENT'],
  ['key.txt', ' \n', 'it is empty'],
  ['key.txt', 'sk-canary and more', 'more than one word'],
])('a key file %s that is of no use is a problem, without its content', (name, content, why) => {
  if (content !== null) writeFileSync(join(cwd, name), content);
  const problems = problemsOf({ OPENAI_API_KEY_FILE: name });
  expect(problems).toEqual([
    {
      name: 'OPENAI_API_KEY_FILE',
      from: 'environment',
      value: `"${name}"`,
      allowed: expect.stringContaining(why),
    },
  ]);
  expect(JSON.stringify(problems)).not.toContain('canary');
});

test('a key that is given where its file was to be named is not shown', () => {
  expect(problemsOf({ OPENAI_API_KEY_FILE: 'sk-canary-0123' })).toEqual([
    expect.objectContaining({ name: 'OPENAI_API_KEY_FILE', value: '(hidden)' }),
  ]);
});

test('folders are absolute, and the cache is the user’s', () => {
  const config = load(
    { PATH: ['/one', '/two'].join(delimiter), COLLIGATE_DATA_DIR: 'state' },
    { outDir: '/elsewhere' },
  );
  expect(config.dataDir).toBe(join(cwd, 'state'));
  expect(config.outDir).toBe('/elsewhere');
  expect(config.searchPath).toEqual(['/one', '/two']);
  expect(load({ COLLIGATE_CACHE_DIR: '/cache' }).cacheDir).toBe('/cache');
  const userCache = process.platform === 'linux' ? '/xdg/colligate' : config.cacheDir;
  expect(load({ XDG_CACHE_HOME: '/xdg' }).cacheDir).toBe(userCache);
});

interface Node {
  properties?: Record<string, Node>;
}

function leaves(node: Node, prefix: string): string[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) =>
    child.properties === undefined ? [`${prefix}${key}`] : leaves(child, `${prefix}${key}.`),
  );
}

test('every setting of the schema has a name in the environment, or is a table of the file', () => {
  const schema = z.toJSONSchema(ConfigSchema, { io: 'input' }) as Node;
  expect(leaves(schema, '').sort()).toEqual([...Object.keys(environmentNames), ...fileOnlyPaths].sort());
});

test('what is wrong in a list of rules is told with the rule, its place and the reason', () => {
  const rules = [
    { level: 'authoritative', reason: 'our archive', domains: ['archive.example'] },
    { level: 'great', reason: 'x', domains: ['a.example'] },
    { level: 'general', reason: 'slow', path: '(a+)+$' },
    { level: 'general', reason: 'fits everything' },
  ];
  writeConfigFile({ synthesis: { sourceQualityRules: rules } });
  const problems = problemsOf();
  expect(problems.map(({ name }) => name)).toEqual(Array(3).fill('synthesis.sourceQualityRules'));
  expect(problems.map(({ value }): unknown => JSON.parse(value))).toEqual(rules.slice(1));
  expect(problems.map(({ allowed }) => allowed.replace(/^.*; wrong is /, ''))).toEqual([
    expect.stringMatching(/^entry 2, level: /),
    'entry 3, path: a regular expression, without a repetition of a repetition',
    'entry 4: a rule with domains, hostStarts or path',
  ]);
  writeConfigFile({ synthesis: { sourceQualityRules: rules.slice(0, 1) } });
  expect(load().synthesis.sourceQualityRules).toEqual(rules.slice(0, 1));
});

test('document 002’s names are read from the environment', () => {
  const { synthesis } = load({
    COLLIGATE_ENABLE_MULTI_PASS: 'false',
    COLLIGATE_PASS_1_SUMMARY_COUNT: '200',
    COLLIGATE_ENABLE_CROSS_REFERENCE: 'false',
    COLLIGATE_ENABLE_FACT_CHECKING: '0',
    COLLIGATE_ENABLE_CONFLICT_DETECTION: 'false',
    COLLIGATE_OVERVIEW_MODEL: 'small',
    COLLIGATE_DEEPDIVE_MODEL: 'large',
    COLLIGATE_CITATION_STYLE: 'url',
  });
  expect(synthesis).toMatchObject({
    enableMultiPass: false,
    pass1SummaryCount: 200,
    enableCrossReference: false,
    enableFactChecking: false,
    enableConflictDetection: false,
    overviewModel: 'small',
    deepdiveModel: 'large',
    citationStyle: 'url',
  });
  expect(problemsOf({ COLLIGATE_PASS_1_SUMMARY_COUNT: '0' })).toEqual([
    {
      name: 'COLLIGATE_PASS_1_SUMMARY_COUNT',
      from: 'environment',
      value: '0',
      allowed: '-1 for all, or a whole number of at least 1',
    },
  ]);
});
