import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { diskReason } from '../../platform/disk-reason';
import { FolderError } from '../../platform/folder-error';
import { makeFolder } from '../../platform/make-folder';
import { OutputError } from '../failures/output-error';
import { SET_ASIDE_FILE } from '../../core/report/set-aside-markdown';
import { runFolderName } from './run-name';
import { safeJson } from '../terminal/safe-text';
import { UsageError } from '../failures/usage-error';

export interface RunFiles {
  markdown: string;
  json: string;
  /** What was set aside of the text; null where nothing was. */
  setAside: string | null;
  /** The page; null where none was written. */
  html: string | null;
}

const BESIDES = ['setAside', 'html'] as const;
type Besides = (typeof BESIDES)[number];

/** Where a run's files go: `OUT/ID/report.md`, `report.json`, `set-aside.md` and `report.html`. No id leaves OUT. */
export function runFilePaths(outDir: string, runId: string): Record<keyof RunFiles, string> {
  const folder = path.join(outDir, runFolderName(runId));
  return {
    markdown: path.join(folder, 'report.md'),
    json: path.join(folder, 'report.json'),
    setAside: path.join(folder, SET_ASIDE_FILE),
    html: path.join(folder, 'report.html'),
  };
}

/** Makes the output folder, so that an unwritable one is found before a run starts. Throws `UsageError`. */
export async function prepareOutDir(outDir: string): Promise<void> {
  try {
    makeFolder(outDir);
    await access(outDir, constants.W_OK);
  } catch (error) {
    const reason = error instanceof FolderError ? error.reason : diskReason(error);
    throw new UsageError([`--out ${outDir}: no files can be written there: ${reason}. Name a folder.`]);
  }
}

/** Writes the files, each at once: a reader sees the old file or the whole new one. Throws `OutputError`. */
export async function writeRunFiles(
  outDir: string,
  runId: string,
  { markdown, report, ...besides }: { markdown: string; report: unknown } & Record<Besides, string | null>,
): Promise<RunFiles> {
  const paths = runFilePaths(outDir, runId);
  const folder = path.dirname(paths.markdown);
  try {
    makeFolder(folder);
    await writeWhole(paths.markdown, markdown);
    await writeWhole(paths.json, `${safeJson(report)}\n`);
    for (const file of BESIDES) {
      const text = besides[file];
      // What an earlier text left is of another text.
      if (text === null) await rm(paths[file], { force: true });
      else await writeWhole(paths[file], text);
    }
  } catch (error) {
    throw new OutputError(folder, runId, error);
  }
  const { markdown: toRead, json } = paths;
  return {
    markdown: toRead,
    json,
    setAside: besides.setAside === null ? null : paths.setAside,
    html: besides.html === null ? null : paths.html,
  };
}

/** Writes a file beside itself, and then gives it its name. */
export async function writeWhole(file: string, text: string | Uint8Array): Promise<void> {
  const draft = path.join(
    path.dirname(file),
    `.${path.basename(file)}.${randomBytes(6).toString('hex')}.tmp`,
  );
  try {
    const handle = await open(draft, 'wx');
    try {
      await handle.writeFile(text, 'utf8');
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
