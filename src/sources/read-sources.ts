import { readJson } from './read-json';
import { readJsonLines } from './read-json-lines';
import { readText } from './read-text';
import { sourceFiles, type FoundFile } from './source-files';
import { derivedId, hashOf } from './source-id';
import { placeOf, type RecordReading, type SourceReading } from './source-reading';
import { titleOf } from './source-title';
import { systemErrorText } from './system-error-text';

interface ReadOptions {
  /** Told of each file in a folder that is no source by its type. */
  onSkipped?: (file: string) => void;
}

/**
 * The sources of files and folders, one at a time, in the order of the paths, with a title and an id each; what
 * cannot be used comes as a problem in its place. A record that repeats another's id and content is given again;
 * one that repeats an id with other content is a problem.
 */
export async function* readSources(
  paths: readonly string[],
  options: ReadOptions = {},
): AsyncGenerator<SourceReading> {
  const identify = identifier();
  for await (const found of sourceFiles(paths)) {
    if (found.kind === 'skipped') options.onSkipped?.(found.file);
    else if (found.kind === 'problem') yield { ok: false, problem: found.problem };
    else {
      for await (const reading of recordsOf(found)) {
        if (reading === 'not-sources') options.onSkipped?.(found.file);
        else yield identify(found.file, reading);
      }
    }
  }
}

async function* recordsOf(
  found: FoundFile & { kind: 'file' },
): AsyncGenerator<RecordReading | 'not-sources'> {
  try {
    if (found.extension === '.jsonl') yield* readJsonLines(found.file);
    else if (found.extension === '.json') yield* readJson(found.file, found.explicit);
    else yield await readText(found.file);
  } catch (error) {
    yield { ok: false, message: systemErrorText(error) };
  }
}

/** Gives records their titles and ids, and remembers which ids are taken: a hash and a place each, never content. */
function identifier(): (file: string, reading: RecordReading) => SourceReading {
  const taken = new Map<string, { hash: string; place: string }>();
  return (file, reading) => {
    const where = { file, ...(reading.line === undefined ? {} : { line: reading.line }) };
    if (!reading.ok) return { ok: false, problem: { ...where, message: reading.message } };
    const { record } = reading;
    const title = record.title ?? titleOf(record.content, file);
    const hash = hashOf(record.content);
    let id = record.id ?? derivedId({ url: record.url, title }, hash);
    let holder = taken.get(id);
    if (holder !== undefined && holder.hash !== hash) {
      if (record.id !== undefined) {
        return {
          ok: false,
          problem: {
            ...where,
            message: `id ${JSON.stringify(id)} is that of ${holder.place} already, with other content; ids must differ`,
          },
        };
      }
      id = `${id}-${hash.slice(0, 8)}`;
      holder = taken.get(id);
    }
    if (holder === undefined) taken.set(id, { hash, place: placeOf(file, reading.line) });
    const { remarks, unknown } = reading;
    return { ok: true, record: { ...record, id, title }, remarks, unknown, ...where };
  };
}
