import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { useConfigFolder } from './config-folder';

const { path, load, problemsOf, toldProblems } = useConfigFolder();

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

test('keys that are given where their file was to be named are not shown', () => {
  expect(problemsOf({ COLLIGATE_ENCRYPTION_KEY_FILE: `a:${key(1)}` })).toEqual([
    expect.objectContaining({ value: '(hidden)', allowed: expect.stringContaining('no such file') }),
  ]);
});
