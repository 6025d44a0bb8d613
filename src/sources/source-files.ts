import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { systemErrorText } from '../lib/errors';
import { nonFileKind, resolveFile } from '../lib/files';
import { isAddress } from './fetch-address';
import { SOURCE_EXTENSIONS } from './formats/source-formats';
import type { SourceProblem } from './source-problems';

export interface FileFilter<Extension extends string> {
  extensions: readonly Extension[];
  noun: string;
  /** Accepts other extensions of explicitly named files, whose content is then checked. */
  orByContent?: (extension: string) => Extension;
}

export type FoundFile<Extension extends string = string> =
  | { kind: 'file'; file: string; extension: Extension; explicit: boolean }
  | { kind: 'skipped'; file: string }
  | { kind: 'problem'; problem: SourceProblem; explicit: boolean }
  /** After the files of a named folder. `hasOthers` is true if some of its files are named or were found before. */
  | { kind: 'folder-end'; hasOthers: boolean };

const SOURCE_FILTER: FileFilter<string> = {
  extensions: SOURCE_EXTENSIONS,
  noun: 'source',
  orByContent: (extension) => extension,
};

/** Adjacent addresses are yielded together. Duplicates are skipped. */
export async function* findSourceFiles(
  paths: readonly string[],
  cwd: string,
): AsyncGenerator<FoundFile | { kind: 'addresses'; addresses: string[] }, void, undefined> {
  const seen = new Set<string>();
  const named = await explicitFiles(paths, cwd);
  for (let at = 0; at < paths.length; at += 1) {
    const addresses: string[] = [];
    for (; isAddress(paths[at] ?? ''); at += 1) {
      const address = (paths[at] ?? '').trim();
      if (!seen.has(address)) addresses.push(address);
      seen.add(address);
    }
    if (addresses.length > 0) yield { kind: 'addresses', addresses };
    yield* findFiles(paths.slice(at, at + 1), SOURCE_FILTER, { cwd, seen, named });
  }
}

/** Real paths of named files: they are explicit also in a folder that is named before them. */
async function explicitFiles(paths: readonly string[], cwd: string): Promise<Set<string>> {
  const named = new Set<string>();
  for (const path of paths.filter((given) => !isAddress(given))) {
    const target = await resolvePath(cwd, path);
    if (!('problem' in target) && !target.folder) named.add(target.real);
  }
  return named;
}

/** Hidden entries and `node_modules` are skipped unless named. Each file is yielded once. */
export async function* findFiles<Extension extends string>(
  paths: readonly string[],
  wanted: FileFilter<Extension>,
  { cwd, seen = new Set(), named = new Set() }: { cwd: string; seen?: Set<string>; named?: Set<string> },
): AsyncGenerator<FoundFile<Extension>, void, undefined> {
  for (const path of paths) {
    const target = await resolvePath(cwd, path);
    if ('problem' in target)
      yield { kind: 'problem', problem: { file: path, message: target.problem }, explicit: true };
    else if (target.folder) yield* folderFiles(path, target.real, { cwd, seen, named, wanted });
    else if (!seen.has(target.real)) {
      seen.add(target.real);
      const extension = matchingExtension(path, wanted) ?? wanted.orByContent?.(extname(path).toLowerCase());
      yield extension === undefined
        ? {
            kind: 'problem',
            problem: { file: path, message: `files of this type cannot be read; ${allowedMessage(wanted)}` },
            explicit: true,
          }
        : { kind: 'file', file: path, extension, explicit: true };
    }
  }
}

interface FolderSearch<Extension extends string> {
  cwd: string;
  seen: Set<string>;
  named: ReadonlySet<string>;
  wanted: FileFilter<Extension>;
}

async function* folderFiles<Extension extends string>(
  folder: string,
  real: string,
  search: FolderSearch<Extension>,
): AsyncGenerator<FoundFile<Extension>, void, undefined> {
  const { wanted } = search;
  let files = 0;
  let others = 0;
  let hasOthers = false;
  for await (const found of walk(folder, real, search)) {
    if (found === 'again' || found.kind === 'file') files += 1;
    else if (found.kind === 'skipped') others += 1;
    hasOthers ||= found === 'again' || (found.kind === 'file' && found.explicit);
    if (found !== 'again') yield found;
  }
  if (files === 0) {
    const rest = others === 0 ? '' : ` among its ${others} ${others === 1 ? 'file' : 'files'}`;
    yield {
      kind: 'problem',
      problem: {
        file: folder,
        message: `the folder has no ${wanted.noun}${rest}; ${allowedMessage(wanted)}`,
      },
      explicit: true,
    };
  }
  yield { kind: 'folder-end', hasOthers };
}

async function* walk<Extension extends string>(
  folder: string,
  real: string,
  search: FolderSearch<Extension>,
): AsyncGenerator<FoundFile<Extension> | 'again', void, undefined> {
  const { cwd, seen, named, wanted } = search;
  if (seen.has(real)) return yield 'again';
  seen.add(real);
  let entries: Dirent[];
  try {
    entries = await readdir(resolveFile(cwd, folder), { withFileTypes: true });
  } catch (error) {
    yield { kind: 'problem', problem: { file: folder, message: systemErrorText(error) }, explicit: false };
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    const target = await resolvePath(cwd, path);
    const extension = matchingExtension(path, wanted);
    if (!('problem' in target) && target.folder) yield* walk(path, target.real, search);
    else if (extension === null) yield { kind: 'skipped', file: path };
    else if ('problem' in target)
      yield { kind: 'problem', problem: { file: path, message: target.problem }, explicit: false };
    else if (seen.has(target.real)) yield 'again';
    else {
      seen.add(target.real);
      yield { kind: 'file', file: path, extension, explicit: named.has(target.real) };
    }
  }
}

async function resolvePath(
  cwd: string,
  path: string,
): Promise<{ real: string; folder: boolean } | { problem: string }> {
  if (path.trim() === '') return { problem: 'an empty path; name a file or a folder' };
  try {
    const located = resolveFile(cwd, path);
    const status = await stat(located);
    const other = nonFileKind(status);
    if (other !== null) return { problem: `${other}; name a file or a folder` };
    return { real: await realpath(located), folder: status.isDirectory() };
  } catch (error) {
    const pattern = /[*?[{]/.test(path)
      ? ' (patterns are expanded by the shell, and only outside of quotes)'
      : '';
    return { problem: `${systemErrorText(error)}${pattern}` };
  }
}

function matchingExtension<Extension extends string>(
  path: string,
  { extensions }: FileFilter<Extension>,
): Extension | null {
  const extension = extname(path).toLowerCase();
  return extensions.find((known) => known === extension) ?? null;
}

function allowedMessage({ extensions }: FileFilter<string>): string {
  return `allowed are ${extensions.join(', ')}`;
}
