import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
/** All of its tests read shared data. */
const READS_DATA = 'tests/cited-text/counted-reports.test.ts';

/** `npm test` of that file, as CI has it, where shared data is looked for in the folder. */
function testsWithDataIn(folder: string): { code: number | null; said: string } {
  const env = { ...process.env, CI: 'true', COLLIGATE_DATA: folder };
  const script = join(ROOT, 'scripts/test.mjs');
  const { status, stdout } = spawnSync(process.execPath, [script, READS_DATA], { cwd: ROOT, env });
  return { code: status, said: stdout.toString() };
}

it('tests whose data is nowhere are skipped, which is told and accepted', () => {
  const { code, said } = testsWithDataIn('/nonexistent');
  expect(said).toMatch(/^[1-9]\d* skipped for want of reports\/\S+ in \/nonexistent/m);
  expect(said).toMatch(/^0 passed, 0 failed$/m);
  expect(code).toBe(0);
});

it('where there is data, CI accepts no test that was skipped for want of a part of it', () => {
  const { code, said } = testsWithDataIn(mkdtempSync(join(tmpdir(), 'colligate-no-data-')));
  expect(said).toContain('CI does not accept that');
  expect(code).toBe(1);
});
