import { derivedId, hashOf } from './source-id';
import { placeOf, type RecordReading, type SourceReading } from './source-reading';
import { titleOf } from './source-title';

export interface Origin {
  /** What problems are told of: a path, or a word for what is no file. */
  name: string;
  /** Null where there is no file. */
  file: string | null;
}

/** Gives records their titles and ids, and remembers which ids are taken: a hash and a place each, never content. */
export function createIdentifier(): (origin: Origin, reading: RecordReading) => SourceReading {
  const taken = new Map<string, { hash: string; place: string }>();
  return ({ name, file }, reading) => {
    const where = { file: name, ...(reading.line === undefined ? {} : { line: reading.line }) };
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
    if (holder === undefined) taken.set(id, { hash, place: placeOf(name, reading.line) });
    const { remarks, unknown } = reading;
    return { ok: true, record: { ...record, id, title }, remarks, unknown, ...where };
  };
}
