import { engineNames } from '../../src/contracts/run/engines';
import { useConfigFolder } from './config-folder';

const { writeConfigFile, load, problemsOf, toldProblems } = useConfigFolder();

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
      `engine (file) "magic": ${engineNames.join(', ')}`,
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

test('limits that contradict each other are a problem, shown beside the others', () => {
  const problems = toldProblems({
    COLLIGATE_MIN_CHARS_PER_SOURCE: '40000',
    COLLIGATE_PASS_2_FULL_CONTENT_COUNT: '1000',
  });
  expect(problems).toEqual([
    'COLLIGATE_PASS_2_FULL_CONTENT_COUNT (environment) 1000: a whole number from 1 to 100',
    'COLLIGATE_MIN_CHARS_PER_SOURCE (environment) 40000: at most what synthesis.maxCharsPerSource is',
  ]);
});

test('a default that contradicts what was set is named with its value', () => {
  expect(toldProblems({ COLLIGATE_MAX_CHARS_PER_SOURCE: '2000' })).toEqual([
    'synthesis.minCharsPerSource (default) 5000: at most what synthesis.maxCharsPerSource is',
  ]);
});

test('the message of the error lists each problem on a line of its own', () => {
  expect(() => load({ COLLIGATE_THREADS: '0', COLLIGATE_ENGINE: 'x' })).toThrow(
    'The configuration has 2 problems:\n' +
      `  COLLIGATE_ENGINE (environment) is "x"; allowed: ${engineNames.join(', ')}\n` +
      '  COLLIGATE_THREADS (environment) is 0; allowed: a whole number from 1 to 64',
  );
});

test.each([
  ['{"engine": ', 'a JSON object'],
  ['[]', 'a JSON object'],
])('a file of %p is one problem that names the file', (content, allowed) => {
  writeConfigFile(content);
  expect(problemsOf()).toMatchObject([{ name: 'colligate.config.json', from: 'file', allowed }]);
});

test('a misspelt variable is pointed out, a foreign one is left alone', () => {
  expect(toldProblems({ COLLIGATE_ENGIN: 'extractive' })).toEqual([
    'COLLIGATE_ENGIN (environment) not a setting: did you mean COLLIGATE_ENGINE?',
  ]);
  expect(load({ COLLIGATE_DATA: '/somewhere' }).engine).toBe('extractive');
});

test('what is wrong within a table is told of the table, wherever it was given', () => {
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
  const tables = { COLLIGATE_PRICES: '{"large":{"input":-1,"output":10}}', COLLIGATE_JUDGE_RUBRIC: 'strict' };
  expect(problemsOf(tables)).toMatchObject([
    { name: 'COLLIGATE_PRICES', value: '{"input":-1,"output":10}' },
    { name: 'COLLIGATE_JUDGE_RUBRIC', value: '"strict"' },
  ]);
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
