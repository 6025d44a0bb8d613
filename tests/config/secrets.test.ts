import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { useConfigFolder } from './config-folder';

const { path, writeConfigFile, load, problemsOf, toldProblems } = useConfigFolder();

/** Whatever can be seen of a configuration. */
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
