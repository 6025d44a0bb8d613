// The demo's report, from a process that has a folder of its own and is told addresses alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checkout.mjs';

/** As `colligate demo` asks. */
const QUESTION = 'Does vitamin D supplementation improve health outcomes, and by how much?';
const NOTES = join(root, 'examples', 'vitamin-d');

/** Starts it; `ended` rejects where there is no report. */
export function startReport({ runId, folder, env, parts }) {
  const part = parts.start(
    `report in ${folder.split('/').at(-1)}`,
    process.execPath,
    [
      ...[join(root, 'dist', 'cli', 'main.js'), 'report', QUESTION, '--sources', NOTES],
      ...['--id', runId, '--engine', 'extractive', '--out', 'reports'],
    ],
    { cwd: folder, env: { ...env, COLLIGATE_DATA_DIR: join(folder, 'data') } },
  );
  part.isExpectedToEnd = true;
  return {
    ended: part.gone.then(() => {
      if (part.ended !== 'ended with 0')
        throw new Error(`The report ${part.ended}. It said: ${readFileSync(part.log, 'utf8').trim()}`);
      const written = (name) => readFileSync(join(folder, 'reports', runId, name), 'utf8');
      return { markdown: written('report.md'), report: JSON.parse(written('report.json')) };
    }),
    hasEnded: () => part.ended !== null,
  };
}
