import path from 'node:path';
import type { Session } from '../../app/session/open-session';
import { makeFolder } from '../../platform/make-folder';
import { runFilePaths, writeWhole } from '../results/run-files';
import { hasEnded, pause } from './while-it-goes-on';

/** A page is loaded anew more seldom. */
const WRITE_MS = 5_000;

/**
 * Writes the page of a run that goes on where that of its report will be, again and again until it has ended. It only shows where
 * the run is: where it cannot be written now, it is tried again.
 */
export async function keepPage(
  { client }: Session,
  runId: string,
  { outDir }: { outDir: string },
  ended: AbortSignal,
): Promise<void> {
  const { html: file } = runFilePaths(outDir, runId);
  while (!hasEnded(ended)) {
    try {
      const { content } = await client.export(runId, 'html');
      makeFolder(path.dirname(file));
      if (!hasEnded(ended)) await writeWhole(file, content);
    } catch {
      // What is wrong is told by whoever follows the run.
    }
    await pause(WRITE_MS, ended);
  }
}
