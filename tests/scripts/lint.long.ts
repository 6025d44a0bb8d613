import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

/** What lint says of a script. */
function said(code: string): string {
  const eslint = resolve(ROOT, 'node_modules/eslint/bin/eslint.js');
  const asScript = ['--stdin', '--stdin-filename', 'scripts/any.mjs'];
  return spawnSync(process.execPath, [eslint, ...asScript], { cwd: ROOT, input: code, encoding: 'utf8' })
    .stdout;
}

it('an object has its properties itself; what is taken over from others is spread', () => {
  const grouped = 'export const of = (one) => ({\n  ...{ a: 1, b: 2 },\n  ...one,\n});\n';
  expect(said(grouped)).toMatch(/^ +2:6 +error +Write its properties into the object itself/m);
  expect(said('export const of = (one) => ({ a: 1, ...one, ...(one.b ? { b: 2 } : {}) });\n')).toBe('');
});
