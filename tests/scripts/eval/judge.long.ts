import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../../..');

/** Sources of the project itself, so that a fresh clone measures it. */
const OWN = 'examples/smaller-language-models';

interface Figures {
  lowerShare: number;
  slight: { lowerShare: number };
  originals: { least: number; passedShare: number };
}

test('briefs that are spoiled in one dimension are judged lower in it, without a model', () => {
  const args = ['scripts/eval.mjs', 'judge', OWN, '--questions', '2'];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  expect(status).toBe(0);
  const { lowerShare, slight, originals } = JSON.parse(stdout) as Figures;
  expect(lowerShare).toBeGreaterThanOrEqual(0.9);
  expect(slight.lowerShare).toBeGreaterThan(0.5);
  expect(originals.least).toBeGreaterThan(3.5);
});
