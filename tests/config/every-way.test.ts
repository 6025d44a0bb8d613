import { loadConfig } from '../../src/config/config';
import { ConfigError } from '../../src/config/config-error';
import { environmentNames, secretPaths, settingPaths } from '../../src/config/setting-names';
import { settingUses } from '../../src/config/setting-uses';
import { AnswerSettings } from '../../src/contracts/answer/answer-settings';
import { useConfigFolder } from './config-folder';

const { path, writeConfigFile, load } = useConfigFolder();

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

test('whatever an answer is asked with can be set by file, by variable and with --set, which wins in this order', () => {
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

test('what --set cannot take is told with what was meant', () => {
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

test.each(secretPaths)('%s is refused on a command line, and not shown', (secret) => {
  expect(problemsOfSet(`${secret}=canary`)).toEqual([
    `--set ${secret} is (hidden); in the environment only, as ${environmentNames[secret]}`,
  ]);
});

test('what is set is told with where it was set, and secrets are hidden', () => {
  writeConfigFile({ answers: { maxHistory: 4 } });
  const env = { OPENAI_API_KEY: 'canary', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };
  const told = settingUses({ cwd: path(), env, set: ['synthesis.minTotalCitations=9'] }).map(
    ({ path: name, from, value }) => `${name}=${value} ${from}`,
  );
  expect(told).toEqual([
    'openai.baseUrl="http://127.0.0.1:1/v1" environment',
    'openai.apiKey=(hidden) environment',
    'synthesis.minTotalCitations=9 flag',
    'answers.maxHistory=4 file',
  ]);
});
