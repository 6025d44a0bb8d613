import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const DRAW = resolve(__dirname, '../../../scripts/draw.mjs');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'draw-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('draws rooms and their arrows, without those that others tell, and circles of types as circles', () => {
  const files = {
    'tsconfig.json': '{}',
    'src/cli/show.ts': "import '../client/client';\nimport '../core/text';\n",
    'src/client/client.ts': "import '../core/text';\n",
    'src/core/text.ts': 'export const text = 1;\n',
    'src/engines/one/ask.ts': "import type { Told } from '../other/tell';\nexport type Asked = Told[];\n",
    'src/engines/other/tell.ts': "import type { Asked } from '../one/ask';\nexport type Told = Asked;\n",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const { status, stdout } = spawnSync(process.execPath, [DRAW, folder], { encoding: 'utf8' });
  expect(status).toBe(0);
  expect(stdout).toContain('| TypeScript files in `src` | 5 |');
  expect(stdout).toContain('| files that stand in a circle of imports, types counted | 2 |');
  expect(stdout.split('\n').filter((line) => line.includes('->') || line.includes('=>'))).toEqual([
    '  cli --> client',
    '  client --> core',
    '  engines_one ==> engines_other',
    '  engines_other ==> engines_one',
  ]);
});
