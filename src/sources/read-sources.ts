import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep, win32 } from 'node:path';
import { z } from 'zod';
import type { SourceRecord } from '../contracts/source';
import { systemErrorText } from '../lib/errors';
import { readErrorText, resolveFile } from '../lib/files';
import { formatValue } from '../lib/json';
import { schemaProblemTexts } from '../lib/validation';
import { FetchError, isAddress, parseWebAddress, redactAddress } from './fetch-address';
import type { ParseClient } from './formats/document-parser';
import { MAX_SOURCES } from './formats/parsed-document';
import { createSourceFormats, type SourceFormats } from './formats/source-formats';
import type { PageReader } from './pages';
import {
  isWebAddress,
  parseRecord,
  type Reference,
  type ReferenceMetadata,
  type ReferenceReading,
} from './record';
import { findSourceFiles, type FoundFile } from './source-files';
import type { RecordReading, SourceReading } from './source-problems';
import { createIdentifier, type RecordOrigin } from './source-readings';

interface ReadOptions {
  /** Absolute base of relative paths; default: the working directory. */
  cwd?: string | undefined;
  /** Absent if addresses are not allowed. */
  pages?: PageReader | undefined;
  onSkipped?: (file: string) => void;
  /** Client of the request. Reading may reject with `ParserBusyError`, or with the signal's reason. */
  asker?: ParseClient | null | undefined;
}

/**
 * Exact repeats are yielded again; a repeated id with other content is a problem. Problems of files that a folder has beside
 * readable ones are marked as found.
 */
export async function* readSources(
  paths: readonly string[],
  options: ReadOptions = {},
): AsyncGenerator<SourceReading> {
  let read = 0;
  for await (const reading of allSources(paths, options)) {
    read += 1;
    if (read > MAX_SOURCES) {
      yield tooManySources(reading);
      return;
    }
    yield reading;
  }
}

function tooManySources(reading: SourceReading): SourceReading {
  const { file } = reading.ok ? reading : reading.problem;
  const message = `there are more than ${MAX_SOURCES.toLocaleString('en')} sources; give them in several runs`;
  return { ok: false, problem: { file, message } };
}

async function* allSources(paths: readonly string[], options: ReadOptions): AsyncGenerator<SourceReading> {
  const identify = createIdentifier();
  const { cwd = process.cwd(), pages = NO_PAGES } = options;
  const formats = createSourceFormats(pages.keepOriginal, options.asker);
  async function* readPages(addresses: readonly string[]): AsyncGenerator<SourceReading> {
    for await (const { address, reading } of pages.read(addresses, formats))
      yield identify({ name: redactAddress(address), file: null }, reading);
  }
  async function* readFile(found: FoundFile & { kind: 'file' }): AsyncGenerator<SourceReading> {
    const { file } = found;
    const references = found.explicit
      ? await formats.references(resolveFile(cwd, file), found.extension)
      : null;
    if (references !== null) {
      const readers = { cwd, pages, formats };
      for await (const { origin, reading } of readReferences(file, references, readers)) {
        if (reading === 'not-sources') options.onSkipped?.(origin.name);
        else yield identify(origin, reading);
      }
      return;
    }
    for await (const reading of recordsOf(found, formats, cwd)) {
      if (reading === 'not-sources') options.onSkipped?.(file);
      else yield identify({ name: file, file }, reading);
    }
  }
  const folder = createFolderReadings();
  for await (const found of findSourceFiles(paths, cwd)) {
    if (found.kind === 'skipped') options.onSkipped?.(found.file);
    else if (found.kind === 'addresses') yield* readPages(found.addresses);
    else if (found.kind === 'folder-end') yield* folder.end(found.hasOthers);
    else if (found.kind === 'problem') {
      const reading: SourceReading = { ok: false, problem: found.problem };
      yield* found.explicit ? [reading] : folder.note(reading);
    } else {
      for await (const reading of readFile(found)) yield* found.explicit ? [reading] : folder.note(reading);
    }
  }
}

interface FolderReadings {
  note(reading: SourceReading): SourceReading[];
  end(hasOthers: boolean): SourceReading[];
}

/** Holds the problems of a folder until one of its files can be read. Without any they are problems of the named folder. */
function createFolderReadings(): FolderReadings {
  let held: SourceReading[] = [];
  let isUsable = false;
  const release = (isFound: boolean): SourceReading[] => {
    const released = isFound ? held.map((reading) => ({ ...reading, isFound })) : held;
    held = [];
    return released;
  };
  return {
    note(reading) {
      isUsable ||= reading.ok;
      if (!reading.ok) held.push(reading);
      return [...(isUsable ? release(true) : []), ...(reading.ok ? [reading] : [])];
    },
    end(hasOthers) {
      const released = release(isUsable || hasOthers);
      isUsable = false;
      return released;
    },
  };
}

const NO_PAGES: PageReader = {
  async *read(addresses) {
    const message = 'addresses are not fetched here; save the page, and give the file';
    for (const address of addresses) yield { address, reading: { ok: false, message }, bytes: 0 };
  },
};

async function* recordsOf(
  found: FoundFile & { kind: 'file' },
  formats: ReturnType<typeof createSourceFormats>,
  cwd: string,
): AsyncGenerator<RecordReading | 'not-sources'> {
  try {
    const { file, extension, explicit } = found;
    if (basename(file).startsWith('~$'))
      yield { ok: false, message: 'a lock file of Office, not a document' };
    else yield* formats.readFile({ file: resolveFile(cwd, file), extension, explicit });
  } catch (error) {
    yield { ok: false, message: readErrorText(error) };
  }
}

interface Readers {
  cwd: string;
  pages: PageReader;
  formats: SourceFormats;
}

interface ReadReference {
  origin: RecordOrigin;
  reading: RecordReading | 'not-sources';
}

/** Per entry: attachment, else address, else abstract. The list's metadata overrides the source's. */
async function* readReferences(
  list: string,
  references: readonly ReferenceReading[],
  readers: Readers,
): AsyncGenerator<ReadReference> {
  const ofList: RecordOrigin = { name: list, file: null };
  let addressed: Reference[] = [];
  for (const reference of references) {
    const attached = reference.ok ? await firstAttachment(list, reference, readers.cwd) : null;
    if (reference.ok && attached === null && reference.address !== null) {
      addressed.push(reference);
      continue;
    }
    // Adjacent addresses are fetched together.
    yield* readAddresses(addressed, readers);
    addressed = [];
    if (!reference.ok) yield { origin: ofList, reading: reference };
    else if (attached?.ok === true) yield* readAttached(attached.file, reference, readers);
    else if (attached !== null && reference.address !== null) {
      yield* readAddresses([reference], readers, [attached.message]);
    } else yield { origin: ofList, reading: readAbstract(reference, attached?.message) };
  }
  yield* readAddresses(addressed, readers);
}

/** The first readable attachment; null if there is none. */
async function firstAttachment(
  list: string,
  { files }: Reference,
  cwd: string,
): Promise<Awaited<ReturnType<typeof resolveAttachment>> | null> {
  let first: Awaited<ReturnType<typeof resolveAttachment>> | null = null;
  // Attachments can be links.
  for (const given of files.filter((one) => !isWebAddress(one))) {
    const attached = await resolveAttachment(dirname(list), given, cwd);
    if (attached.ok) return attached;
    first ??= attached;
  }
  return first;
}

async function* readAddresses(
  references: readonly Reference[],
  { pages, formats }: Readers,
  remarks: readonly string[] = [],
): AsyncGenerator<ReadReference> {
  const unread = new Map(references.map((reference) => [reference.address ?? '', reference]));
  for await (const { address, reading } of pages.read([...unread.keys()], formats)) {
    const said = unread.get(address)?.said;
    // For several sources such as a feed, the metadata applies to the first.
    unread.delete(address);
    yield {
      origin: { name: redactAddress(address), file: null },
      reading: said === undefined ? reading : withListMetadata(reading, said, remarks),
    };
  }
}

async function* readAttached(
  file: string,
  { said, address }: Reference,
  { cwd, formats }: Readers,
): AsyncGenerator<ReadReference> {
  const extension = extname(file).toLowerCase();
  const told = address === null ? said : { ...said, url: address };
  for await (const reading of formats.readFile({ file: resolve(cwd, file), extension, explicit: true }))
    yield {
      origin: { name: file, file },
      reading: reading === 'not-sources' ? reading : withListMetadata(reading, told),
    };
}

export function readAbstract({ abstract, said, line }: Reference, why: string | undefined): RecordReading {
  if (abstract === null) {
    const message = why ?? 'the entry has no address, no file and no abstract; give it one of them';
    return { ok: false, line, message };
  }
  const remark = `${why ?? 'the entry has neither an address nor a file'}: its abstract alone is read`;
  const pages = [{ number: 1, start: 0, end: abstract.length, name: 'abstract' }];
  return { ...withListMetadata(parseRecord({ content: abstract, pages }), said, [remark]), line };
}

export type SaidMetadata = ReferenceMetadata & Pick<SourceRecord, 'url' | 'accessedAt'>;

export function withListMetadata(
  reading: RecordReading,
  said: SaidMetadata,
  remarks: readonly string[] = [],
): RecordReading {
  if (!reading.ok) return reading;
  const told = (Object.entries(said) as [string, string | undefined][]).filter(
    ([, value]) => value !== undefined,
  );
  if (told.length === 0 && remarks.length === 0) return reading;
  const described = parseRecord({ ...reading.record, ...Object.fromEntries(told) });
  if (!described.ok) return described;
  return {
    ...reading,
    ...described,
    remarks: [...remarks, ...reading.remarks, ...described.remarks],
    unknown: reading.unknown,
  };
}

/** Attachments must be inside the list's folder. Paths are relative to `cwd`. */
async function resolveAttachment(
  folder: string,
  given: string,
  cwd: string,
): Promise<{ ok: true; file: string } | { ok: false; message: string }> {
  const outside = {
    ok: false as const,
    message: `its file ${JSON.stringify(given)} lies outside of the folder of the list, and is not read; export the list with its files`,
  };
  if (isAddress(given) || isAbsolute(given) || win32.isAbsolute(given)) return outside;
  const file = join(folder, given);
  // The message does not reveal whether the file exists.
  if (relative(folder, file).split(sep)[0] === '..') return outside;
  try {
    // Symbolic links may lead outside.
    if (!(await realpath(resolve(cwd, file))).startsWith(`${await realpath(resolve(cwd, folder))}${sep}`))
      return outside;
    if ((await stat(resolve(cwd, file))).isFile()) return { ok: true, file };
    return { ok: false, message: `its file ${JSON.stringify(given)} is none` };
  } catch (error) {
    return {
      ok: false,
      message: `its file ${JSON.stringify(given)} cannot be read: ${systemErrorText(error)}`,
    };
  }
}

/** Absolute paths and addresses. */
const FilesSettings = z.object({
  paths: z
    .array(
      z
        .string()
        .refine((path) => isAddress(path) || isAbsolute(path), { error: 'a path has to be absolute' }),
    )
    .min(1),
});

export class UnknownFinderError extends Error {
  override readonly name = 'UnknownFinderError';
}

export function findScheduledSources(
  { finder, settings }: { finder: string; settings: unknown },
  pages?: PageReader,
): AsyncIterable<SourceReading> {
  if (finder !== 'files')
    throw new UnknownFinderError(
      `There is no finder of sources named ${formatValue(finder)}; there is: files.`,
    );
  const { data } = FilesSettings.safeParse(settings);
  if (data !== undefined) return readSources(data.paths, { pages });
  const problems = schemaProblemTexts([['settings', FilesSettings, settings]]);
  throw new UnknownFinderError(`What the finder files is told cannot be used: ${problems.join('; ')}.`);
}

/** Validates addresses without fetching: each page has its address as text. */
export const validatedPages: PageReader = {
  async *read(addresses) {
    for (const address of addresses) {
      const wrong = addressProblem(address);
      yield {
        address,
        bytes: 0,
        reading: wrong === null ? parseRecord({ content: address }) : { ok: false, message: wrong },
      };
    }
  },
};

/** The server knows which ports are allowed. */
function addressProblem(address: string): string | null {
  try {
    parseWebAddress(address.replace(/^(https?:\/\/[^/?#]*):\d+(?=[/?#]|$)/i, '$1'), new Set());
    return null;
  } catch (error) {
    if (error instanceof FetchError) return error.reason;
    throw error;
  }
}
