import { truncateSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { useWorkingFolder } from './program-under-test';

const { path: folder, saidOf } = useWorkingFolder();

test.each(['many.json', 'many.jsonl'])('says how many observations of %s are too many', async (file) => {
  const texts = Array.from({ length: 200_000 }, (_, at) => `"Text ${at}."`);
  writeFileSync(join(folder(), file), file.endsWith('l') ? texts.join('\n') : `[${texts.join(',')}]`);
  expect(await saidOf(`answer Q? --observations ${file}`)).toBe(
    '--observations: there are 200,000 of them; at most 1,000 are taken. Give the others with --sources.',
  );
});

test('names some of very many observations that are none, and counts the others', async () => {
  writeFileSync(join(folder(), 'none.jsonl'), '7\n'.repeat(200_000));
  const lines = (await saidOf('answer Q? --observations none.jsonl')).split('\n');
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe('--observations none.jsonl: 199,980 more problems.');
});

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

test.each([
  ['deep.json', `{"content":"x","a":${DEEP}}`, 'verify good.md --sources deep.json'],
  ['deep.jsonl', `{"content":"x","a":${DEEP}}\n`, 'verify good.md --sources deep.jsonl'],
  ['deep.md', `---\na: ${DEEP.slice(70_000, 130_000)}\n---\nText.\n`, 'verify good.md --sources deep.md'],
  ['report.json', `{"markdown":"x [1]","a":${DEEP}}`, 'verify report.json --sources good.md'],
  ['o.json', `[{"content":"x","a":${DEEP}}]`, 'answer Q? --observations o.json'],
  ['o.jsonl', `{"content":"x","a":${DEEP}}\n`, 'answer Q? --observations o.jsonl'],
  ['turns.json', `[{"role":"human","content":${DEEP}}]`, 'answer Q? --sources good.md --history turns.json'],
  ['topics.json', `{"summary":"Rice feeds many.","sources":${DEEP}}`, 'brief Q? --subtopics topics.json'],
  ['colligate.config.json', DEEP, 'brief Q? --subtopics good.md'],
])('says in one sentence that %s goes too deep', async (file, content, line) => {
  writeFileSync(join(folder(), file), content);
  const said = await saidOf(line);
  await rm(join(folder(), file));
  const lines = said.split('\n').filter((line) => line.includes(file));
  expect(lines).toEqual([expect.stringContaining('more than 200 lists and objects within each other')]);
});

test('refuses a report that is too long before it is read', async () => {
  writeFileSync(join(folder(), 'long.md'), 'Rice is good [1].\n');
  truncateSync(join(folder(), 'long.md'), 100 * 1024 * 1024);
  expect(await saidOf('verify long.md --sources good.md')).toBe(
    'REPORT long.md: larger than 4 MB; verify its parts one by one.',
  );
});
