import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepareOutDir, runFilePaths, writeRunFiles } from '../../src/cli/results/run-files';
import { UsageError } from '../../src/cli/failures/usage-error';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'colligate-files-'));
});

test('the files are written whole, and no draft is left', async () => {
  await writeRunFiles(folder, 'my-run', {
    markdown: 'old',
    report: { old: true },
    setAside: '# Old',
    html: '<p>Old',
  });
  const written = { markdown: '# Report\n', report: { id: 'my-run' }, setAside: null, html: null };
  const paths = await writeRunFiles(folder, 'my-run', written);
  expect(paths.setAside).toBeNull();
  expect(paths.markdown).toBe(path.join(folder, 'my-run', 'report.md'));
  expect(await readFile(paths.markdown, 'utf8')).toBe('# Report\n');
  expect(JSON.parse(await readFile(paths.json, 'utf8'))).toEqual({ id: 'my-run' });
  expect((await readdir(path.dirname(paths.markdown))).sort()).toEqual(['report.json', 'report.md']);
});

test('what was set aside has a file of its own beside the text', async () => {
  const written = { markdown: '# Report\n', report: {}, setAside: '# Set aside\n', html: null };
  const paths = await writeRunFiles(folder, 'my-run', written);
  expect(paths.setAside).toBe(path.join(folder, 'my-run', 'set-aside.md'));
  expect(await readFile(paths.setAside ?? '', 'utf8')).toBe('# Set aside\n');
});

const ODD_IDS = [
  '../outside',
  '..',
  '.',
  'a/b',
  'a-b',
  '/etc',
  'a\\..\\b',
  '\u001b[2J',
  '.hidden',
  'a\0b',
  'nightly:notes-2026-01-01T00:00:00Z',
  'é'.repeat(255),
  'x'.repeat(255),
];

test.each(ODD_IDS)('the id %j has a folder of its own within the output folder', async (id) => {
  const { markdown } = await writeRunFiles(folder, id, {
    markdown: `# ${id}`,
    report: {},
    setAside: null,
    html: null,
  });
  expect(path.dirname(path.dirname(markdown))).toBe(folder);
  expect(await readdir(folder)).toEqual([path.basename(path.dirname(markdown))]);
  expect(path.basename(path.dirname(markdown))).toMatch(/^[A-Za-z0-9._~-]+$/);
});

test('no two ids share a folder', () => {
  const folders = ODD_IDS.map((id) => runFilePaths(folder, id).markdown);
  expect(new Set(folders).size).toBe(ODD_IDS.length);
});

test('an output folder that is a file is found before anything starts', async () => {
  const file = path.join(folder, 'file');
  await writeFile(file, '');
  await expect(prepareOutDir(file)).rejects.toThrow(UsageError);
  await expect(prepareOutDir(path.join(file, 'below'))).rejects.toThrow(UsageError);
});
