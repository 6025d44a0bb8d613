import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, open, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { diskErrorText, errorCode, errorMessage, FolderError } from '../lib/errors';
import { makeFolder } from '../lib/files';
import { SET_ASIDE_FILE } from '../report/citations';
import { runFolderName, UsageError } from './command-context';
import { OutputError } from './failures';
import { safeJson } from './terminal';

export interface RunFiles {
  markdown: string;
  json: string;
  setAside: string | null;
  html: string | null;
}

const OPTIONAL_FILES = ['setAside', 'html'] as const;
type OptionalFile = (typeof OPTIONAL_FILES)[number];

/** `OUT/ID/report.md`, `report.json`, `set-aside.md` and `report.html`. No run id leads out of OUT. */
export function runFilePaths(outDir: string, runId: string): Record<keyof RunFiles, string> {
  const folder = path.join(outDir, runFolderName(runId));
  return {
    markdown: path.join(folder, 'report.md'),
    json: path.join(folder, 'report.json'),
    setAside: path.join(folder, SET_ASIDE_FILE),
    html: path.join(folder, 'report.html'),
  };
}

/** Creates the output folder, to find an unwritable one before a run starts. Throws `UsageError`. */
export async function prepareOutDir(outDir: string): Promise<void> {
  try {
    makeFolder(outDir);
    await access(outDir, constants.W_OK);
  } catch (error) {
    const reason = error instanceof FolderError ? error.reason : diskErrorText(error);
    throw new UsageError([`--out ${outDir}: no files can be written there: ${reason}. Name a folder.`]);
  }
}

/** Writes each file atomically: a reader sees the old or the new file. Throws `OutputError`. */
export async function writeRunFiles(
  outDir: string,
  runId: string,
  {
    markdown,
    report,
    ...besides
  }: { markdown: string; report: unknown } & Record<OptionalFile, string | null>,
): Promise<RunFiles> {
  const paths = runFilePaths(outDir, runId);
  const folder = path.dirname(paths.markdown);
  try {
    makeFolder(folder);
    await writeAtomically(paths.markdown, markdown);
    await writeAtomically(paths.json, `${safeJson(report)}\n`);
    for (const file of OPTIONAL_FILES) {
      const text = besides[file];
      // The file belongs to an earlier text.
      if (text === null) await rm(paths[file], { force: true });
      else await writeAtomically(paths[file], text);
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

/** Writes a temporary file in the same folder and renames it. */
async function writeAtomically(file: string, text: string | Uint8Array): Promise<void> {
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

export async function outputFileProblems(
  flag: string,
  file: string,
  cwd: string,
  read: readonly string[] = [],
): Promise<string[]> {
  const said = `${flag} ${file}`;
  if (file.trim() === '') return [`${flag} has an empty path.`];
  try {
    const located = path.resolve(cwd, file);
    const existing = await stat(located).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    });
    if (existing?.isDirectory() === true) return [`${said}: it is a folder; name a file in it.`];
    const others = await Promise.all(read.map((other) => realPathOf(path.resolve(cwd, other))));
    if (others.includes(await realPathOf(located)))
      return [`${said}: that file is read; name another one to write to.`];
    // The folder must be writable too, for the temporary file.
    await access(path.dirname(located), constants.W_OK);
    if (existing !== null) await access(located, constants.W_OK);
    return [];
  } catch (error) {
    return [`${said}: no file can be written there (${String(errorCode(error))}).`];
  }
}

/** Takes an absolute path. For a missing file it resolves the folder. */
async function realPathOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    const folder = path.dirname(file);
    const real = await realpath(folder).catch(() => folder);
    return path.join(real, path.basename(file));
  }
}

/** Writes the file of a flag atomically. Throws `UsageError`. */
export async function writeOutputFile(
  flag: string,
  file: string,
  cwd: string,
  text: string | Uint8Array,
): Promise<void> {
  try {
    await writeAtomically(path.resolve(cwd, file), text);
  } catch (error) {
    const reason = errorCode(error) ?? errorMessage(error);
    throw new UsageError([`${flag} ${file}: it could not be written (${reason}).`]);
  }
}
