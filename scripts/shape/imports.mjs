import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../checkout.mjs';

const DEPCRUISE = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
const HUNDRED_MB = 100 * 1024 * 1024;

/** What the files of a checkout's `src` import of each other, types too, as dependency-cruiser finds it. */
export function importsWithin(checkout) {
  const how = ['--no-config', '--ts-pre-compilation-deps', '--ts-config', 'tsconfig.json'];
  const what = ['--include-only', '^src/', '--output-type', 'json'];
  const told = execFileSync(process.execPath, [DEPCRUISE, ...how, ...what, 'src'], {
    cwd: checkout,
    encoding: 'utf8',
    maxBuffer: HUNDRED_MB,
  });
  return JSON.parse(told).modules.map(({ source, dependencies }) => ({
    file: source,
    isInCircle: dependencies.some(({ circular }) => circular),
    imports: dependencies.map(({ resolved }) => resolved),
  }));
}
