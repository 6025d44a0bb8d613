// The demo's report, from a process that has a folder of its own and is told addresses alone.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../checkout.mjs';

/** As `colligate demo` asks. */
const QUESTION = 'Does vitamin D supplementation improve health outcomes, and by how much?';
const NOTES = join(root, 'examples', 'vitamin-d');

/** Starts it in `folder`; `ended` resolves with the report and its Markdown, and rejects where there is none. */
export function startReport({ parts, folder, env, runId, asOf }) {
  const part = parts.start(
    `client in ${basename(folder)}`,
    process.execPath,
    [join(root, 'scripts', 'topology', 'report-client.mjs'), runId, asOf, QUESTION, NOTES],
    { cwd: folder, env: { ...env, COLLIGATE_DATA_DIR: join(folder, 'data') }, output: 'pipe' },
  );
  part.isExpectedToEnd = true;
  let printed = '';
  part.child.stdout.setEncoding('utf8').on('data', (text) => (printed += text));
  return {
    ended: part.gone.then(() => {
      if (part.ended === 'ended with 0') return JSON.parse(printed);
      throw new Error(`No report: its client ${part.ended}. ${readFileSync(part.log, 'utf8').trim()}`);
    }),
    hasEnded: () => part.ended !== null,
  };
}
