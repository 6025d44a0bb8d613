import { posix } from 'node:path';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { decodedText, MOST_INFLATED_BYTES, saidOfItself, UnfitDocument } from './parsed-document';
import { attributeNamed, childElements, elementsBelow, parseXml, xmlTextOf } from './xml';

export interface Archive {
  has(name: string): boolean;
  /** Throws `UnfitDocument` for a missing file, or beyond the total inflated size. */
  bytes(name: string): Promise<Buffer>;
  text(name: string): Promise<string>;
}

const MOST_ENTRIES = 50_000;

/** Declared sizes are not trusted; inflated bytes are counted. */
export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  const zip = await opened(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const entries = await entriesOf(zip);
  let left = MOST_INFLATED_BYTES;
  const inflated = async (name: string): Promise<Buffer> => {
    const entry = entries.get(name);
    if (entry === undefined) throw new UnfitDocument(`it lacks ${name}; save it anew`);
    if (entry.isEncrypted()) throw new UnfitDocument('it is encrypted; save it without a password');
    const parts: Buffer[] = [];
    for await (const part of await zip.openReadStreamPromise(entry)) {
      const inflating = part as Buffer; // the stream's type is unspecific
      left -= inflating.length;
      if (left < 0)
        throw new UnfitDocument(
          `it inflates to more than ${MOST_INFLATED_BYTES / (1_024 * 1_024)} MB, which is no document; split it into parts`,
        );
      parts.push(inflating);
    }
    return Buffer.concat(parts);
  };
  return {
    has: (name) => entries.has(name),
    bytes: inflated,
    text: async (name) => decodedText(await inflated(name)),
  };
}

function opened(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error === null) resolve(zip);
      else reject(error);
    });
  });
}

function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      if (entries.size >= MOST_ENTRIES)
        reject(new UnfitDocument(`it has more than ${MOST_ENTRIES.toLocaleString('en')} files in it`));
      else {
        if (!entries.has(entry.fileName)) entries.set(entry.fileName, entry);
        zip.readEntry();
      }
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', reject);
    zip.readEntry();
  });
}

export interface Related {
  /** Last segment of the relationship type, such as `slide` or `styles`. */
  kind: string;
  path: string;
}

/** Relationships of a part by id, without external links. */
export async function relatedTo(archive: Archive, path: string): Promise<Map<string, Related>> {
  const folder = posix.dirname(path);
  const listed = posix.join(folder, '_rels', `${posix.basename(path)}.rels`);
  if (!archive.has(listed)) return new Map();
  const relations = elementsBelow(parseXml(await archive.text(listed)), 'Relationship')
    .filter((relation) => attributeNamed(relation, 'TargetMode') !== 'External')
    .map((relation): [string, Related] => {
      const target = attributeNamed(relation, 'Target') ?? '';
      const kind = (attributeNamed(relation, 'Type') ?? '').split('/').at(-1) ?? '';
      return [attributeNamed(relation, 'Id') ?? '', { kind, path: resolved(folder, target) }];
    });
  return new Map(relations);
}

function resolved(folder: string, target: string): string {
  return target.startsWith('/') ? target.slice(1) : posix.normalize(posix.join(folder, target));
}

export async function mainPart(archive: Archive): Promise<string> {
  const relations = [...(await relatedTo(archive, '')).values()];
  const main = relations.find(({ kind }) => kind === 'officeDocument');
  if (main === undefined)
    throw new UnfitDocument('it says nowhere which part of it is the document; save it anew');
  return main.path;
}

export async function coreFacts(archive: Archive): Promise<Record<string, unknown>> {
  const core = [...(await relatedTo(archive, '')).values()].find(({ kind }) => kind === 'core-properties');
  if (core === undefined || !archive.has(core.path)) return {};
  const [properties] = childElements(parseXml(await archive.text(core.path)));
  const said = (local: string): string | undefined => {
    const [value] = properties === undefined ? [] : childElements(properties, local);
    return value === undefined ? undefined : xmlTextOf(value);
  };
  return {
    ...saidOfItself({
      title: said('title'),
      author: said('creator'),
      created: said('created'),
      language: said('language'),
    }),
  };
}
