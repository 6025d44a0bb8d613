import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { decodedText } from '../parsing/decoded-text';
import { MOST_INFLATED_BYTES } from '../parsing/parse-limits';
import { UnfitDocument } from '../parsing/parsed-document';

/** The files of an archive (ZIP) by their names; nothing is written anywhere, and nothing read but what is asked for. */
export interface Archive {
  has(name: string): boolean;
  /** Throws `UnfitDocument` for a file that is not there, and where all that was read is more than may come of one archive. */
  bytes(name: string): Promise<Buffer>;
  text(name: string): Promise<string>;
}

const MOST_ENTRIES = 50_000;

/** Sizes that an archive declares are believed of nothing: what comes out is counted as it comes. */
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
      const inflating = part as Buffer; // its type leaves open what a stream gives
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
