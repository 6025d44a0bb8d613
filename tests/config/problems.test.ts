import { settingType } from '../../src/config/allowed';
import { loadConfig, settingsInUse } from '../../src/config/config';
import { ConfigError } from '../../src/config/config-error';
import { environmentNames, settingPaths, secretPaths } from '../../src/config/setting-names';
import { AnswerSettings } from '../../src/contracts/answer/answer-settings';
import { engineNames } from '../../src/contracts/run/engines';
import { useConfigFolder } from './config-folder';

const { path, writeConfigFile, load, problemsOf, toldProblems } = useConfigFolder();

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
