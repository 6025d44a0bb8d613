import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { BUILT } from '../support/build';

test('no command loads what reads pages and documents, or asks a server, before it does that', async () => {
  const script = `require(${JSON.stringify(path.join(BUILT, 'cli/program.js'))}); console.log(JSON.stringify(Object.keys(require.cache)))`;
  const files = JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })) as string[];
  const packages = files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  expect([...new Set(packages)].sort()).toEqual(['commander', 'wink-porter2-stemmer', 'zod']);
});
