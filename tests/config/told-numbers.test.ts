import { environmentNames, settingPaths } from '../../src/config/setting-names';
import { settingType } from '../../src/config/allowed';
import { loadConfig } from '../../src/config/config';
import { useConfigFolder } from './config-folder';

const { writeConfigFile, load, problemsOf, toldProblems } = useConfigFolder();

const TIME = 'a number of minutes above 0 and up to 5,256,000';
const PATIENCE = 'a number of minutes from 0 to 10080';

test.each([
  ['outages.patienceMs', '--patience', 'Infinity', '"Infinity"', PATIENCE],
  ['outages.patienceMs', '--patience', 'NaN', '"NaN"', PATIENCE],
  ['outages.patienceMs', '--patience', '-1', '-1', PATIENCE],
  ['outages.patienceMs', '--patience', '20000', '20000', PATIENCE],
  ['outages.patienceMs', '--patience', '', '""', PATIENCE],
  ['budget.maxTimeMs', '--max-time', '99999999999999', '99999999999999', TIME],
  ['budget.maxTimeMs', '--max-time', '0', '0', TIME],
  ['budget.maxTimeMs', '--max-time', '1e999', '1e999', TIME],
  ['budget.maxTimeMs', '--max-time', 'soon', '"soon"', TIME],
  ['budget.maxCostUsd', '--max-cost', '1e300', '1e300', 'a number above 0 and up to 1,000,000,000'],
  ['budget.maxTokens', '--max-tokens', '1e15', '1e15', 'a whole number above 0 and up to 1,000,000,000,000'],
] as const)(
  'a flag for %s is told as it was given, in the unit of the flag',
  (path, name, text, value, allowed) => {
    expect(problemsOf({}, { [path]: text })).toEqual([{ name, from: 'flag', value, allowed }]);
  },
);

test('a flag in minutes is kept in milliseconds, and a number that a program gives is in those already', () => {
  expect(load({}, { 'budget.maxTimeMs': '1.5', 'outages.patienceMs': 20 })).toMatchObject({
    budget: { maxTimeMs: 90_000 },
    outages: { patienceMs: 20 },
  });
});

test('the environment and the file tell milliseconds, and what is too large for a number', () => {
  expect(toldProblems({ COLLIGATE_MAX_TIME_MS: '1e400' })).toEqual([
    'COLLIGATE_MAX_TIME_MS (environment) 1e400: a whole number above 0 and up to 315,360,000,000',
  ]);
  writeConfigFile('{ "budget": { "maxCostUsd": 1e999 }, "worker": { "threads": -1e999 } }');
  expect(problemsOf().map(({ value }) => value)).toEqual(['Infinity', '-Infinity']);
});

const numbers = settingPaths.filter((path) => settingType(path) === 'number');

test.each(numbers)('%s has an upper bound, which is told', (path) => {
  const [problem] = problemsOf({ [environmentNames[path]]: '1e300' });
  expect(problem).toMatchObject({ value: '1e300' });
  expect(problem?.allowed).toMatch(/ to [\d,.]+$|-1 for all/);
});

test.each(numbers)('%s takes no text for a number', (path) => {
  for (const text of ['NaN', '-Infinity', '0x10', '1_000', '٣', ' ', '1 2'])
    expect(problemsOf({ [environmentNames[path]]: text })).toMatchObject([{ value: JSON.stringify(text) }]);
});

test('what somebody could mean stays allowed', () => {
  const config = loadConfig({
    cwd: '/nonexistent',
    env: {
      COLLIGATE_MAX_TOKENS: '5000000000',
      COLLIGATE_MAX_COST_USD: '250000',
      COLLIGATE_MAX_TIME_MS: '31536000000',
      COLLIGATE_PATIENCE_MS: '604800000',
    },
  });
  expect(config.budget).toEqual({ maxTokens: 5_000_000_000, maxCostUsd: 250_000, maxTimeMs: 31_536_000_000 });
});
