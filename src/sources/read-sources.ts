import { shownAddress } from '../fetch/fetch-error';
import { locatedFile, unreadText } from '../platform/given-file';
import { createIdentifier } from './identify';
import type { Asker } from './formats/parsing/document-parser';
import { MOST_SOURCES } from './formats/parsing/parse-limits';
import { openFormats } from './formats/source-formats';
import type { PageReader } from './pages/page-reader';
import { readReferences } from './references/read-references';
import { sourceFiles, type FoundFile } from './source-files';
import type { RecordReading, SourceReading } from './source-reading';

interface ReadOptions {
  /** The absolute folder from which relative paths start; this process's where it is absent. */
  cwd?: string | undefined;
  /** Reads the addresses among the paths; where it is absent they are problems. */
  pages?: PageReader | undefined;
  /** Told of each file in a folder that is no source by its type. */
  onSkipped?: (file: string) => void;
  /** Who else they are read for. Reading rejects with `ParserBusyError`, and with the reason of the asker's signal. */
  asker?: Asker | null | undefined;
}

/**
 * The sources of files, folders and addresses, one at a time, in the order of the paths, with a title and an id each; what
 * cannot be used comes as a problem in its place. A record that repeats another's id and content is given again;
 * one that repeats an id with other content is a problem.
 */
export async function* readSources(
  paths: readonly string[],
  options: ReadOptions = {},
): AsyncGenerator<SourceReading> {
  let read = 0;
  for await (const reading of allSources(paths, options)) {
    read += 1;
    if (read > MOST_SOURCES) {
      yield tooMany(reading);
      return;
    }
    yield reading;
  }
}

function tooMany(reading: SourceReading): SourceReading {
  const { file } = reading.ok ? reading : reading.problem;
  const message = `there are more than ${MOST_SOURCES.toLocaleString('en')} sources; give them in several runs`;
  return { ok: false, problem: { file, message } };
}

async function* allSources(paths: readonly string[], options: ReadOptions): AsyncGenerator<SourceReading> {
  const identify = createIdentifier();
  const { cwd = process.cwd(), pages = NO_PAGES } = options;
  const formats = openFormats(pages.keepOriginal, options.asker);
  async function* readPages(addresses: readonly string[]): AsyncGenerator<SourceReading> {
    for await (const { address, reading } of pages.read(addresses, formats))
      yield identify({ name: shownAddress(address), file: null }, reading);
  }
  for await (const found of sourceFiles(paths, cwd)) {
    if (found.kind === 'skipped') options.onSkipped?.(found.file);
    else if (found.kind === 'problem') yield { ok: false, problem: found.problem };
    else if (found.kind === 'addresses') yield* readPages(found.addresses);
    else {
      const { file } = found;
      const references = found.explicit
        ? await formats.references(locatedFile(cwd, file), found.extension)
        : null;
      if (references !== null) {
        const readers = { cwd, pages, formats };
        for await (const { origin, reading } of readReferences(file, references, readers)) {
          if (reading === 'not-sources') options.onSkipped?.(origin.name);
          else yield identify(origin, reading);
        }
        continue;
      }
      for await (const reading of recordsOf(found, formats, cwd)) {
        if (reading === 'not-sources') options.onSkipped?.(file);
        else yield identify({ name: file, file }, reading);
      }
    }
  }
}

const NO_PAGES: PageReader = {
  async *read(addresses) {
    const message = 'addresses are not fetched here; save the page, and give the file';
    for (const address of addresses) yield { address, reading: { ok: false, message }, bytes: 0 };
  },
};

async function* recordsOf(
  found: FoundFile & { kind: 'file' },
  formats: ReturnType<typeof openFormats>,
  cwd: string,
): AsyncGenerator<RecordReading | 'not-sources'> {
  try {
    const { file, extension: ending, explicit } = found;
    yield* formats.readFile({ file: locatedFile(cwd, file), ending, explicit });
  } catch (error) {
    yield { ok: false, message: unreadText(error) };
  }
}
