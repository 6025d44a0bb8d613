import { posix } from 'node:path';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { decodeWithFallback } from './document-text';
import { documentMetadata, UnfitDocument } from './parsed-document';
import { attributeByName, childElements, descendantElements, parseXml, xmlText } from './xml';

export interface Archive {
  has(name: string): boolean;
  /** Throws `UnfitDocument` for a missing file, or beyond the total inflated size. */
  bytes(name: string): Promise<Buffer>;
  text(name: string): Promise<string>;
}

const MAX_ENTRIES = 50_000;

/** Total inflated size per archive. */
const MAX_INFLATED_BYTES = 256 * 1_024 * 1_024;

/** Declared sizes are not trusted; inflated bytes are counted. */
export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  const zip = await openZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const entries = await readEntries(zip);
  let left = MAX_INFLATED_BYTES;
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
          `it inflates to more than ${MAX_INFLATED_BYTES / (1_024 * 1_024)} MB, which is no document; split it into parts`,
        );
      parts.push(inflating);
    }
    return Buffer.concat(parts);
  };
  return {
    has: (name) => entries.has(name),
    bytes: inflated,
    text: async (name) => decodeWithFallback(await inflated(name)),
  };
}

function openZip(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error === null) resolve(zip);
      else reject(error);
    });
  });
}

function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: Entry) => {
      if (entries.size >= MAX_ENTRIES)
        reject(new UnfitDocument(`it has more than ${MAX_ENTRIES.toLocaleString('en')} files in it`));
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

export interface RelatedPart {
  /** Last segment of the relationship type, such as `slide` or `styles`. */
  kind: string;
  path: string;
}

/** Relationships of a part by id, without external links. */
export async function relatedParts(archive: Archive, path: string): Promise<Map<string, RelatedPart>> {
  const folder = posix.dirname(path);
  const listed = posix.join(folder, '_rels', `${posix.basename(path)}.rels`);
  if (!archive.has(listed)) return new Map();
  const relations = descendantElements(parseXml(await archive.text(listed)), 'Relationship')
    .filter((relation) => attributeByName(relation, 'TargetMode') !== 'External')
    .map((relation): [string, RelatedPart] => {
      const target = attributeByName(relation, 'Target') ?? '';
      const kind = (attributeByName(relation, 'Type') ?? '').split('/').at(-1) ?? '';
      return [attributeByName(relation, 'Id') ?? '', { kind, path: resolveTarget(folder, target) }];
    });
  return new Map(relations);
}

function resolveTarget(folder: string, target: string): string {
  return target.startsWith('/') ? target.slice(1) : posix.normalize(posix.join(folder, target));
}

export async function mainPart(archive: Archive): Promise<string> {
  const relations = [...(await relatedParts(archive, '')).values()];
  const main = relations.find(({ kind }) => kind === 'officeDocument');
  if (main === undefined)
    throw new UnfitDocument('it says nowhere which part of it is the document; save it anew');
  return main.path;
}

export async function coreMetadata(archive: Archive): Promise<Record<string, unknown>> {
  const core = [...(await relatedParts(archive, '')).values()].find(({ kind }) => kind === 'core-properties');
  if (core === undefined || !archive.has(core.path)) return {};
  const [properties] = childElements(parseXml(await archive.text(core.path)));
  const said = (local: string): string | undefined => {
    const [value] = properties === undefined ? [] : childElements(properties, local);
    return value === undefined ? undefined : xmlText(value);
  };
  return {
    ...documentMetadata({
      title: said('title'),
      author: said('creator'),
      language: said('language'),
    }),
  };
}
