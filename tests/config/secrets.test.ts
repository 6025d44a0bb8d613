import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { useConfigFolder } from './config-folder';

const { path, writeConfigFile, load, problemsOf } = useConfigFolder();

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

test('a key is read from a file, unless it is given itself', () => {
  writeFileSync(join(path(), 'key.txt'), '\uFEFF sk-canary\n');
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
  ['missing.txt', null, 'no such file'],
  ['key.txt', ' \n', 'the file is empty'],
  ['key.txt', 'sk-canary and more', 'more than one word'],
])('a key file %s that is of no use is a problem, without its content', (name, content, why) => {
  if (content !== null) writeFileSync(join(path(), name), content);
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
