import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { inspect } from 'node:util';
import { z } from 'zod';
import { ConfigError } from '../../src/app/app-errors';
import { loadConfig, settingsInUse } from '../../src/app/config';
import { settingType } from '../../src/app/config-sources';
import { engineNames } from '../../src/contracts/pipeline';
import { SEARCH_INDEXES, SearchIndexName } from '../../src/contracts/run-input';
import { AnswerSettings } from '../../src/contracts/run-settings';
import { environmentNames, secretPaths, settingPaths } from '../../src/contracts/setting-names';
import { ConfigSchema, indexSettingsOf, KEYED_INDEXES } from '../../src/contracts/settings';
import { useConfigFolder } from './config-folder';

const { path, writeConfigFile, load, problemsOf, toldProblems } = useConfigFolder();

describe('loadConfig', () => {
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

  test('an empty variable counts as absent', () => {
    expect(load({ TEMPORAL_ADDRESS: '', COLLIGATE_THREADS: '' }).temporal.address).toBeNull();
  });

  test('folders are absolute, and the cache is the user’s', () => {
    const config = load(
      { PATH: ['/one', '/two'].join(delimiter), COLLIGATE_DATA_DIR: 'state' },
      { outDir: '/elsewhere' },
    );
    expect(config.dataDir).toBe(join(path(), 'state'));
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
      child.properties === undefined || settingPaths.some((path) => path === `${prefix}${key}`)
        ? [`${prefix}${key}`]
        : leaves(child, `${prefix}${key}.`),
    );
  }

  test('every setting of the schema has a name in the environment', () => {
    const schema = z.toJSONSchema(ConfigSchema, { io: 'input' }) as Node;
    expect(leaves(schema, '').sort()).toEqual([...settingPaths].sort());
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
      COLLIGATE_UNSUPPORTED_CLAIMS: 'remove',
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
      unsupportedClaims: 'remove',
    });
    expect(toldProblems({ COLLIGATE_PASS_1_SUMMARY_COUNT: '0' })).toEqual([
      'COLLIGATE_PASS_1_SUMMARY_COUNT (environment) 0: -1 for all, or a whole number of at least 1',
    ]);
  });

  test('a brief’s length, template and judge have the document’s values', () => {
    expect(load()).toMatchObject({
      report: { maxLength: 10_000, template: 'brief' },
      brief: { oneCallWords: 2_000, unsupportedClaims: 'mark' },
      judge: { enabled: true, threshold: 3.5, maxRevisions: 2, rubric: { bias: { weight: 0.1 } } },
    });
  });

  test('report.outputDir is the file’s other name for outDir: flags and variables win over it, and both must agree', () => {
    writeConfigFile({ report: { outputDir: 'there' } });
    expect(load({ COLLIGATE_OUT_DIR: 'here' }).outDir).toBe(join(path(), 'here'));
    writeConfigFile({ report: { outputDir: 'there' }, outDir: 'there' });
    expect(load().outDir).toBe(join(path(), 'there'));
    writeConfigFile({ report: { outputDir: 'there' }, outDir: 'here' });
    expect(toldProblems()).toEqual([
      'report.outputDir (file) "there": one of the two names: outDir is "here" in the same file',
    ]);
  });
});

describe('settings of models', () => {
  test('the openai engine needs an endpoint and models, and what is missing is named', () => {
    const others = engineNames.filter((name) => name !== 'openai').join(', ');
    const needed = {
      OPENAI_BASE_URL: 'http://localhost:8000/v1',
      COLLIGATE_MODEL_FAST: 'small',
      COLLIGATE_MODEL_STRONG: 'large',
    };
    expect(load(needed, { engine: 'openai' })).toMatchObject({
      engine: 'openai',
      openai: { models: { fast: 'small', strong: 'large', critic: null, embedding: null } },
    });
    expect(toldProblems({ COLLIGATE_MODEL_FAST: 'small' }, { engine: 'openai' })).toEqual([
      `--engine (flag) "openai": ${others}, or openai together with OPENAI_BASE_URL, COLLIGATE_MODEL_STRONG`,
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
});

describe('settings of search indexes', () => {
  test.each(SearchIndexName.options)(
    '%s is asked at its own address, with the key that its variable has',
    (name) => {
      const { address, keyVariable } = SEARCH_INDEXES[name];
      const config = load({ ...(keyVariable === null ? {} : { [keyVariable]: 'canary' }) });
      const { search } = config;
      const { settings, key } = indexSettingsOf(config, name);
      expect(settings).toEqual({ url: address, contact: null });
      expect(key?.reveal() ?? null).toBe(keyVariable === null ? null : 'canary');
      expect(`${JSON.stringify(search)} ${inspect(search, { depth: 9, showHidden: true })}`).not.toContain(
        'canary',
      );
    },
  );

  test.each(KEYED_INDEXES)('the key of %s is a secret, and may lie in a file', (name) => {
    expect(secretPaths).toContain(`search.${name}.apiKey`);
    writeFileSync(join(path(), 'key.txt'), 'canary\n');
    const file = { [environmentNames[`search.${name}.apiKeyFile`]]: 'key.txt' };
    expect(indexSettingsOf(load(file), name).key?.reveal()).toBe('canary');
    const both = { ...file, [environmentNames[`search.${name}.apiKey`]]: 'own' };
    expect(indexSettingsOf(load(both), name).key?.reveal()).toBe('own');
    const missing = { [environmentNames[`search.${name}.apiKeyFile`]]: 'none.txt' };
    expect(toldProblems(missing)).toEqual([expect.stringContaining('no such file')]);
  });

  test('an address of one’s own is taken, and none that could hold a key', () => {
    writeConfigFile({
      fetch: { contact: 'a@example.org' },
      search: { searxng: { url: 'http://127.0.0.1:8888/searx' } },
    });
    expect(indexSettingsOf(load(), 'searxng').settings).toEqual({
      url: 'http://127.0.0.1:8888/searx',
      contact: 'a@example.org',
    });
    for (const url of [
      'https://user:word@example.org',
      'https://example.org/?token=canary',
      'ftp://example.org',
    ])
      expect(toldProblems({ COLLIGATE_TAVILY_URL: url })).toEqual([
        expect.stringContaining('an http or https URL without a query, a name and a password'),
      ]);
    // Indexes take addresses of e-mail alone.
    const site = load({ COLLIGATE_FETCH_CONTACT: 'https://example.org/about@us' });
    expect(indexSettingsOf(site, 'pubmed').settings.contact).toBeNull();
  });
});

describe('secrets', () => {
  const shown = (config: object): string =>
    `${JSON.stringify(config)} ${inspect(config, { depth: 9, showHidden: true })}`;

  test('secrets are usable and never printed, and are refused in the file', () => {
    const config = load({ OPENAI_API_KEY: 'sk-canary', TEMPORAL_API_KEY: 'tk-canary' });
    expect(config.openai.apiKey?.reveal()).toBe('sk-canary');
    expect(shown(config)).not.toContain('canary');

    writeConfigFile({ openai: { apiKey: 'sk-canary' } });
    expect(toldProblems()).toEqual([
      'openai.apiKey (file) (hidden): in the environment only, as OPENAI_API_KEY',
    ]);
  });

  test('a key is read from a file, unless it is given itself', () => {
    writeFileSync(join(path(), 'key.txt'), '\uFEFF sk-canary\n');
    const config = load({ OPENAI_API_KEY_FILE: 'key.txt' });
    expect(config.openai.apiKey?.reveal()).toBe('sk-canary');
    expect(shown(config)).not.toContain('canary');
    const both = load({ OPENAI_API_KEY_FILE: 'key.txt', OPENAI_API_KEY: 'sk-own' });
    expect(both.openai.apiKey?.reveal()).toBe('sk-own');
  });

  test.each([
    ['missing.txt', null, 'no such file'],
    ['key.txt', ' \n', 'the file is empty'],
    ['key.txt', 'sk-canary and more', 'more than one word'],
  ])('a key file %s that is of no use is a problem, without its content', (name, content, why) => {
    if (content !== null) writeFileSync(join(path(), name), content);
    const problems = toldProblems({ OPENAI_API_KEY_FILE: name });
    expect(problems).toEqual([expect.stringContaining(`OPENAI_API_KEY_FILE (environment) "${name}": `)]);
    expect(problems[0]).toContain(why);
    expect(JSON.stringify(problems)).not.toContain('canary');
  });

  test('a key that is given where its file was to be named is not shown', () => {
    expect(problemsOf({ OPENAI_API_KEY_FILE: 'sk-canary-0123' })).toEqual([
      expect.objectContaining({ name: 'OPENAI_API_KEY_FILE', value: '(hidden)' }),
    ]);
  });
});

describe('settings of stores', () => {
  const ON_REDIS = { COLLIGATE_STORES: 'redis', REDIS_URL: 'redis://user:w0rd@host' };

  const DAY_MS = 86_400_000;

  test('a store on a server wants its address', () => {
    expect(toldProblems({ COLLIGATE_STORES: 'redis' })).toEqual([
      'COLLIGATE_STORES (environment) "redis": lmdb, or redis together with REDIS_URL',
    ]);
    expect(load(ON_REDIS)).toMatchObject({ stores: 'redis' });
  });

  test('runs are not kept longer than Redis keeps what they have', () => {
    const keeping = {
      COLLIGATE_RETENTION_MS: String(30 * DAY_MS),
      COLLIGATE_REDIS_TTL_MS: String(30 * DAY_MS),
    };
    expect(toldProblems({ ...ON_REDIS, ...keeping })).toEqual([
      expect.stringMatching(
        /^COLLIGATE_RETENTION_MS \(environment\) 2592000000: less than 2592000000, .* raise COLLIGATE_REDIS_TTL_MS above it$/,
      ),
    ]);
    expect(load({ ...ON_REDIS, ...keeping, COLLIGATE_REDIS_TTL_MS: String(31 * DAY_MS) })).toBeDefined();
    expect(load(keeping)).toMatchObject({ retention: { keepMs: 30 * DAY_MS } });
  });
});

describe('settings of encryption', () => {
  const key = (byte: number, bytes = 32): string => Buffer.alloc(bytes, byte).toString('base64');

  test('keys are taken from the environment or from a file with remarks, and are never shown', () => {
    const pairs = `b:${key(2)},a:${key(1)}`;
    writeFileSync(join(path(), 'keys.txt'), `# since spring\r\nb:${key(2)}\r\n\na:${key(1)}\n`);
    const config = load({ COLLIGATE_ENCRYPTION_KEYS: pairs });
    expect(config.encryption.keys?.reveal()).toBe(pairs);
    expect(load({ COLLIGATE_ENCRYPTION_KEY_FILE: 'keys.txt' }).encryption.keys?.reveal()).toContain('a:');
    expect(`${JSON.stringify(config)} ${inspect(config, { depth: 9, showHidden: true })}`).not.toContain(
      key(1),
    );
    expect(load({}).encryption.keys).toBeNull();
  });

  test.each([
    [`a:${key(1)},b:${key(2, 16)}`, 'key 2 of 2 has 16 bytes'],
    [key(1), 'key 1 of 1 has no id'],
    [`${key(1)}:a`, 'an id that is not'],
    [`a:${key(1)},b:${key(2)},a:${key(3)}`, 'keys 1 and 3 have the same id'],
    [`a:${key(1).slice(0, -1)}!`, 'not base64'],
    [`a:${key(251).replaceAll('+', '-').replaceAll('/', '_')}`, 'not base64'],
    [' , ,', 'there is no key'],
  ])('bad keys are refused by their place, without a word of them: %#', (text, why) => {
    writeFileSync(join(path(), 'keys.txt'), text);
    const inEnvironment = toldProblems({ COLLIGATE_ENCRYPTION_KEYS: text });
    const inFile = toldProblems({ COLLIGATE_ENCRYPTION_KEY_FILE: 'keys.txt' });
    expect(inEnvironment).toEqual([
      expect.stringMatching(/^COLLIGATE_ENCRYPTION_KEYS \(environment\) \(hidden\): /),
    ]);
    expect(inFile).toEqual([expect.stringMatching(/^COLLIGATE_ENCRYPTION_KEY_FILE /)]);
    for (const [told] of [inEnvironment, inFile]) expect(told).toContain(why);
    for (const piece of text.split(/[,:]/).filter((part) => part.length > 8))
      expect(JSON.stringify([inEnvironment, inFile])).not.toContain(piece);
  });
});

describe('settings of Langfuse, traces and webhooks', () => {
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
});

describe('problems of settings', () => {
  test('all problems come at once, each with where it came from, its value and what is allowed', () => {
    writeConfigFile({
      engine: 'magic',
      synthesis: { targetReportLenght: 5000, minTotalCitations: 0 },
      worker: 3,
      surplus: true,
    });
    const problems = toldProblems(
      {
        COLLIGATE_MAX_TOKENS: 'many',
        TEMPORAL_ADDRESS: 'http://host',
        COLLIGATE_LOG_LEVEL: 'loud',
        TEMPORAL_TLS: 'yes',
      },
      { 'synthesis.targetReportLength': '12.5', 'budget.maxTimeMs': '-1' },
    );
    expect(problems).toEqual(
      expect.arrayContaining([
        `engine (file) "magic": ${engineNames.join(', ')}, local`,
        'synthesis.targetReportLenght (file) not a setting: did you mean synthesis.targetReportLength?',
        'synthesis.minTotalCitations (file) 0: a whole number from 1 to 1000',
        'worker (file) 3: a JSON object',
        expect.stringMatching(/^surplus \(file\) not a setting: .*engine, dataDir/),
        'COLLIGATE_MAX_TOKENS (environment) "many": a whole number above 0 and up to 1,000,000,000,000',
        'TEMPORAL_ADDRESS (environment) "http://host": host:port, such as localhost:7233',
        'COLLIGATE_LOG_LEVEL (environment) "loud": silent, fatal, error, warn, info, debug, trace',
        'TEMPORAL_TLS (environment) "yes": true, false',
        '--words (flag) 12.5: a whole number from 300 to 50000',
        '--max-time (flag) -1: a number of minutes above 0 and up to 5,256,000',
      ]),
    );
    expect(problems).toHaveLength(11);
  });

  test('a misspelt variable is pointed out, a foreign one is left alone', () => {
    expect(toldProblems({ COLLIGATE_ENGIN: 'extractive' })).toEqual([
      'COLLIGATE_ENGIN (environment) not a setting: did you mean COLLIGATE_ENGINE?',
    ]);
    expect(load({ COLLIGATE_DATA: '/somewhere' }).engine).toBe('extractive');
  });

  test('a problem within a table names the table, wherever it was set', () => {
    writeConfigFile({
      openai: {
        prices: { large: { input: -1, output: 10 } },
        contextTokens: { small: 'much' },
        models: 'large',
      },
    });
    expect(toldProblems()).toEqual([
      'openai.models (file) "large": a JSON object',
      expect.stringMatching(/^openai\.prices .*USD per million/),
      expect.stringMatching(/^openai\.contextTokens .*at least 512/),
    ]);
    writeConfigFile({});
    const tables = {
      COLLIGATE_PRICES: '{"large":{"input":-1,"output":10}}',
      COLLIGATE_JUDGE_RUBRIC: 'strict',
    };
    expect(problemsOf(tables)).toMatchObject([
      { name: 'COLLIGATE_PRICES', value: '{"input":-1,"output":10}' },
      { name: 'COLLIGATE_JUDGE_RUBRIC', value: '"strict"' },
    ]);
  });

  test('a problem in a list of rules names the rule, its place and the reason', () => {
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
});

describe('numbers', () => {
  const TIME = 'a number of minutes above 0 and up to 5,256,000';

  const PATIENCE = 'a number of minutes from 0 to 10080';

  test.each([
    ['outages.patienceMs', '--patience', 'Infinity', '"Infinity"', PATIENCE],
    ['budget.maxTimeMs', '--max-time', '99999999999999', '99999999999999', TIME],
    ['budget.maxCostUsd', '--max-cost', '1e300', '1e300', 'a number above 0 and up to 1,000,000,000'],
    [
      'budget.maxTokens',
      '--max-tokens',
      '1e15',
      '1e15',
      'a whole number above 0 and up to 1,000,000,000,000',
    ],
  ] as const)(
    'a flag for %s is told as it was given, in the unit of the flag',
    (path, name, text, value, allowed) => {
      expect(problemsOf({}, { [path]: text })).toEqual([{ name, from: 'flag', value, allowed }]);
    },
  );

  const numbers = settingPaths.filter((path) => settingType(path) === 'number');

  test('every number has an upper bound, which its problem names', () => {
    for (const path of numbers) {
      const [problem] = problemsOf({ [environmentNames[path]]: '1e300' });
      expect([path, problem?.value]).toEqual([path, '1e300']);
      expect(`${path}: ${problem?.allowed}`).toMatch(/ to [\d,.]+$|-1 for all/);
    }
  });
});

describe('flags, variables and files', () => {
  function problemsOfSet(...set: string[]): string[] {
    try {
      loadConfig({ cwd: path(), env: {}, set });
    } catch (error) {
      if (error instanceof ConfigError)
        return error.problems.map(({ name, value, allowed }) => `${name} is ${value}; ${allowed}`);
      throw error;
    }
    throw new Error('The configuration was accepted');
  }

  test('every setting of an answer can be set by file, by variable and with --set, which wins in this order', () => {
    for (const name of Object.keys(AnswerSettings.shape)) expect(settingPaths).toContain(`answers.${name}`);
    writeConfigFile({ answers: { temperature: 0.1, maxHistory: 4, maxTokens: 900, model: 'gpt-4-turbo' } });
    const env = { COLLIGATE_ANSWERS_TEMPERATURE: '0.2', COLLIGATE_ANSWERS_DISCLAIMER_BELOW: '0.6' };
    expect(load(env).answers).toMatchObject({
      temperature: 0.2,
      maxHistory: 4,
      maxTokens: 900,
      disclaimerBelow: 0.6,
      model: 'gpt-4-turbo',
      compressedChars: 200,
    });
    const set = ['answers.temperature=0.3', 'answers.citations=inline', 'answers.maxAttempts=2'];
    const flags = { 'answers.maxAttempts': '5' };
    expect(loadConfig({ cwd: path(), env, set, flags }).answers).toMatchObject({
      temperature: 0.3,
      citations: 'inline',
      maxAttempts: 5,
    });
  });

  test('a table is JSON where it is no part of a file', () => {
    const set = ['prompts.names={"answer":"reply"}', 'judge.rubric={"bias":{"weight":0.3}}'];
    const env = { COLLIGATE_PRICES: '{"large":{"input":1,"output":2}}' };
    const { prompts, judge, openai } = loadConfig({ cwd: path(), env, set });
    expect(prompts.names).toEqual({ answer: 'reply' });
    expect(judge.rubric.bias.weight).toBe(0.3);
    expect(openai.prices).toEqual({ large: { input: 1, output: 2 } });
  });

  test('an unknown name after --set is reported with the closest one', () => {
    expect(problemsOfSet('answers.temprature=1')).toEqual([
      '--set answers.temprature is not a setting; did you mean answers.temperature?',
    ]);
    expect(problemsOfSet('temperature=1')).toEqual([
      '--set temperature is not a setting; did you mean synthesis.temperature or answers.temperature or brief.temperature?',
    ]);
    expect(problemsOfSet('answers.temperature=hot', 'answers.maxHistory')).toEqual([
      '--set answers.maxHistory is without a value; --set answers.maxHistory=VALUE: a whole number from 0 to 100',
      '--set answers.temperature is "hot"; a number from 0 to 2',
    ]);
  });

  test('secrets are rejected on a command line and not shown', () => {
    for (const secret of secretPaths)
      expect(problemsOfSet(`${secret}=canary`)).toEqual([
        `--set ${secret} is (hidden); in the environment only, as ${environmentNames[secret]}`,
      ]);
  });

  test('each setting is listed with its origin, and secrets are hidden', () => {
    writeConfigFile({ answers: { maxHistory: 4 } });
    const env = { OPENAI_API_KEY: 'canary', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };
    const told = settingsInUse({ cwd: path(), env, set: ['synthesis.minTotalCitations=9'] }).map(
      ({ path: name, from, value }) => `${name}=${value} ${from}`,
    );
    expect(told).toEqual([
      'openai.baseUrl="http://127.0.0.1:1/v1" environment',
      'openai.apiKey=(hidden) environment',
      'synthesis.minTotalCitations=9 flag',
      'answers.maxHistory=4 file',
    ]);
  });
});
