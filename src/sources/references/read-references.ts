import { dirname, extname, resolve, isAbsolute, join, relative, sep, win32 } from 'node:path';
import type { SourceRecord } from '../../contracts/source/source';
import { shownAddress } from '../../fetch/fetch-error';
import type { SourceFormats } from '../formats/source-formats';
import type { Origin } from '../identify';
import type { PageReader } from '../pages/page-reader';
import { isWebAddress, parseRecord } from '../parse-record';
import type { RecordReading } from '../source-reading';
import type { Reference, ReferenceReading, SaidOfSource } from './reference';
import { realpath, stat } from 'node:fs/promises';
import { systemErrorText } from '../../platform/system-error-text';
import { isAddress } from '../pages/told-address';

interface Readers {
  /** The folder from which the list's own path starts. */
  cwd: string;
  pages: PageReader;
  formats: SourceFormats;
}

interface ReadReference {
  origin: Origin;
  reading: RecordReading | 'not-sources';
}

/**
 * The sources that a list names, in its order: the file that lies with the list, else what lies at the address, else the abstract. What
 * the list says of a source stands, whatever the source says of itself.
 */
export async function* readReferences(
  list: string,
  references: readonly ReferenceReading[],
  readers: Readers,
): AsyncGenerator<ReadReference> {
  const ofList: Origin = { name: list, file: null };
  let addressed: Reference[] = [];
  for (const reference of references) {
    const attached = reference.ok ? await attachedTo(list, reference, readers.cwd) : null;
    if (reference.ok && attached === null && reference.address !== null) {
      addressed.push(reference);
      continue;
    }
    // Pages that stand together are fetched ahead of each other.
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

/** The first file of the reference that can be read; null where it names none. */
async function attachedTo(
  list: string,
  { files }: Reference,
  cwd: string,
): Promise<Awaited<ReturnType<typeof attachedFile>> | null> {
  let first: Awaited<ReturnType<typeof attachedFile>> | null = null;
  // What lies at an address is no file of the list's.
  for (const given of files.filter((one) => !isWebAddress(one))) {
    const attached = await attachedFile(dirname(list), given, cwd);
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
    // Of what has several sources, such as a feed, the list describes none but the first.
    unread.delete(address);
    yield {
      origin: { name: shownAddress(address), file: null },
      reading: said === undefined ? reading : withSaid(reading, said, remarks),
    };
  }
}

async function* readAttached(
  file: string,
  { said, address }: Reference,
  { cwd, formats }: Readers,
): AsyncGenerator<ReadReference> {
  const ending = extname(file).toLowerCase();
  const told = address === null ? said : { ...said, url: address };
  for await (const reading of formats.readFile({ file: resolve(cwd, file), ending, explicit: true }))
    yield {
      origin: { name: file, file },
      reading: reading === 'not-sources' ? reading : withSaid(reading, told),
    };
}

function readAbstract({ abstract, said, line }: Reference, why: string | undefined): RecordReading {
  if (abstract === null) {
    const message = why ?? 'the entry has no address, no file and no abstract; give it one of them';
    return { ok: false, line, message };
  }
  const remark = `${why ?? 'the entry has neither an address nor a file'}: its abstract alone is read`;
  const pages = [{ number: 1, start: 0, end: abstract.length, name: 'abstract' }];
  return { ...withSaid(parseRecord({ content: abstract, pages }), said, [remark]), line };
}

function withSaid(
  reading: RecordReading,
  said: SaidOfSource & Pick<SourceRecord, 'url'>,
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

/** A file that a list names, in the folder of the list, both relative to `cwd`; or why it is not read. */
async function attachedFile(
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
  // Whether something lies outside is not told either.
  if (relative(folder, file).split(sep)[0] === '..') return outside;
  try {
    // Links are followed first: one may lead outside.
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
