// Node 20 has `isWellFormed`, which the project's es2023 does not declare.
/// <reference lib="es2024.string" />
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompress,
  brotliDecompressSync,
  constants,
} from 'node:zlib';
import { RunId } from '../contracts/run';
import { ArtifactRef } from '../contracts/source';
import { CorruptArtifactError } from './store-errors';

/** Characters are UTF-16 units; retrievals count since this process opened the store. */
export interface ContentStatistics {
  artifacts: number;
  totalChars: number;
  retrievals: { requested: number; found: number; missing: number };
}

/** Each run has its own copy. Summaries and full contents are separate texts (document 002). */
export interface ContentStore {
  /** Resolves when the text is on disk and `runId` has it; storing it again changes nothing. */
  store(runId: string, text: string): Promise<ArtifactRef>;
  /** Like `store`, with one flush; references are in the order of the texts. */
  storeBatch(runId: string, texts: readonly string[]): Promise<ArtifactRef[]>;
  /** Null if no run has the text. Throws `CorruptArtifactError` if the stored bytes do not match the reference. */
  retrieve(ref: ArtifactRef): Promise<string | null>;
  /** Missing references are absent from the map. */
  retrieveBatch(refs: readonly ArtifactRef[]): Promise<Map<ArtifactRef, string>>;
  has(ref: ArtifactRef): Promise<boolean>;
  /** Gives the run a copy of stored texts; resolves with the missing references. */
  hold(runId: string, refs: readonly ArtifactRef[]): Promise<ArtifactRef[]>;
  statistics(): Promise<ContentStatistics>;
  clearRun(runId: string): Promise<number>;
}

/** Packed texts in memory at once, in addition to the results. */
const MAX_PACKED_TEXTS = 32;

export function openContentStore(
  items: RunItems,
  measure: () => Promise<Omit<ContentStatistics, 'retrievals'>>,
): ContentStore {
  const retrievals = { requested: 0, found: 0, missing: 0 };

  async function storeBatch(runId: string, texts: readonly string[]): Promise<ArtifactRef[]> {
    RunId.parse(runId);
    const refs: ArtifactRef[] = [];
    for (const part of splitBatches(texts, (text) => text.length)) {
      const packed = new Map<ArtifactRef, Buffer>();
      for (const text of part) {
        const ref = artifactRef(text);
        refs.push(ref);
        if (!packed.has(ref)) packed.set(ref, await packText(text));
        await nextTurn();
      }
      await items.put(runId, [...packed]);
    }
    return refs;
  }

  async function retrieveBatch(refs: readonly ArtifactRef[]): Promise<Map<ArtifactRef, string>> {
    const texts = new Map<ArtifactRef, string>();
    const wanted = [...new Set(refs)];
    for (const part of splitBatches(wanted, () => 0, { items: MAX_PACKED_TEXTS, size: 0 })) {
      const packed = await items.read(part.filter(isArtifactRef));
      for (const [ref, bytes] of packed) {
        texts.set(ref, await unpackArtifact(ref, bytes));
        await nextTurn();
      }
    }
    retrievals.requested += wanted.length;
    retrievals.found += texts.size;
    retrievals.missing += wanted.length - texts.size;
    return texts;
  }

  return {
    storeBatch,
    retrieveBatch,
    async store(runId, text) {
      const [ref] = await storeBatch(runId, [text]);
      return ref ?? artifactRef(text);
    },
    retrieve: async (ref) => (await retrieveBatch([ref])).get(ref) ?? null,
    has: async (ref) => isArtifactRef(ref) && (await items.read([ref])).size > 0,
    async hold(runId, refs) {
      const absent = new Set(await items.hold(runId, [...new Set(refs.filter(isArtifactRef))]));
      return refs.filter((ref) => !isArtifactRef(ref) || absent.has(ref));
    },
    statistics: async () => ({ ...(await measure()), retrievals: { ...retrievals } }),
    clearRun: (runId) => items.clearRun(runId),
  };
}

async function unpackArtifact(ref: ArtifactRef, packed: Buffer): Promise<string> {
  const text = await unpackText(packed).catch((cause: unknown) => {
    throw new CorruptArtifactError(ref, { cause });
  });
  if (artifactRef(text) !== ref) throw new CorruptArtifactError(ref);
  return text;
}

/** UTF-8, with unpaired surrogates as in WTF-8: U+FFFD would give different texts the same reference. */
function artifactBytes(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8');
  const parts: Buffer[] = [];
  let start = 0;
  for (const { index, 0: unit } of text.matchAll(/\p{Surrogate}/gu)) {
    const code = unit.charCodeAt(0);
    parts.push(Buffer.from(text.slice(start, index), 'utf8'));
    parts.push(Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]));
    start = index + 1;
  }
  parts.push(Buffer.from(text.slice(start), 'utf8'));
  return Buffer.concat(parts);
}

/** The SHA-256 of the text's bytes, in lower-case hexadecimal. */
export function artifactRef(text: string): ArtifactRef {
  return createHash('sha256').update(artifactBytes(text)).digest('hex');
}

function isArtifactRef(ref: string): boolean {
  return ArtifactRef.safeParse(ref).success;
}

/**
 * A packed text has 1 byte of flags, 4 bytes of length in UTF-16 units (little-endian), then the text. Text with
 * unpaired surrogates is UTF-16, because UTF-8 cannot hold it.
 */
const HEADER_BYTES = 5;
const FLAG_BROTLI = 1;
const FLAG_UTF16 = 2;
const KNOWN_FLAGS = FLAG_BROTLI | FLAG_UTF16;

/** Shorter texts gain nothing from compression. */
const MIN_COMPRESSED_BYTES = 200;

/**
 * Larger texts are compressed in another thread, so that they do not delay heartbeats. For smaller ones a thread
 * costs more than it saves (500 articles of 32 KB: 0.49 s and 26 MB here, 0.46 s and 50 MB in four threads).
 */
const MAX_SYNC_BYTES = 256 * 1024;

/** Quality 4 keeps a third of an article's bytes at about 30 MB/s; a window of 256 KB saves memory. */
const compressionParams = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 };

export async function packText(text: string): Promise<Buffer> {
  const isWellFormed = text.isWellFormed();
  const plain = Buffer.from(text, isWellFormed ? 'utf8' : 'utf16le');
  const compressed = plain.length < MIN_COMPRESSED_BYTES ? plain : await compress(plain);
  const isSmaller = compressed.length < plain.length;
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8((isSmaller ? FLAG_BROTLI : 0) | (isWellFormed ? 0 : FLAG_UTF16), 0);
  header.writeUInt32LE(text.length, 1);
  return Buffer.concat([header, isSmaller ? compressed : plain]);
}

/** Throws if the bytes are not a packed text. */
export async function unpackText(packed: Buffer): Promise<string> {
  const flags = packed.readUInt8(0);
  if ((flags & ~KNOWN_FLAGS) !== 0) throw new Error(`a packed text with unknown flags: ${flags}`);
  const body = packed.subarray(HEADER_BYTES);
  const plain = flags & FLAG_BROTLI ? await decompress(body, packedTextLength(packed)) : body;
  const text = plain.toString(flags & FLAG_UTF16 ? 'utf16le' : 'utf8');
  if (text.length !== packedTextLength(packed))
    throw new Error('a packed text of another length than it says');
  return text;
}

/** In UTF-16 units; 0 if there are too few bytes. */
export function packedTextLength(packed: Buffer): number {
  return packed.length < HEADER_BYTES ? 0 : packed.readUInt32LE(1);
}

async function compress(plain: Buffer): Promise<Buffer> {
  const options = { params: { ...compressionParams, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } };
  return plain.length <= MAX_SYNC_BYTES
    ? brotliCompressSync(plain, options)
    : promisify(brotliCompress)(plain, options);
}

async function decompress(body: Buffer, textLength: number): Promise<Buffer> {
  // A UTF-16 unit takes at most 3 bytes; damaged data must not fill the memory.
  const options = { maxOutputLength: Math.max(1, textLength * 3) };
  return textLength <= MAX_SYNC_BYTES
    ? brotliDecompressSync(body, options)
    : promisify(brotliDecompress)(body, options);
}

export interface BatchLimits {
  items: number;
  /** In the units of `sizeOf`. */
  size: number;
}

const TRANSACTION_LIMITS: BatchLimits = { items: 500, size: 4_000_000 };

/** An item above the limit gets a batch of its own. */
export function* splitBatches<Item>(
  items: Iterable<Item>,
  sizeOf: (item: Item) => number,
  most: BatchLimits = TRANSACTION_LIMITS,
): Generator<Item[]> {
  let part: Item[] = [];
  let size = 0;
  for (const item of items) {
    const added = sizeOf(item);
    if (part.length === most.items || (part.length > 0 && size + added > most.size)) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(item);
    size += added;
  }
  if (part.length > 0) yield part;
}

/** A short key for a long name with any characters: lmdb keys have at most 1,978 bytes. */
export function digest(key: string): string {
  return createHash('sha256').update(JSON.stringify(key)).digest('hex');
}

export type ItemKind = 'content' | 'derived' | 'responses';

/** Bytes by name, with a copy per run. Names are short and have no slash. */
export interface RunItems {
  /** Resolves when all values are on disk. Replaces every run's copies, so that all copies of a name are equal. */
  put(runId: string, values: readonly (readonly [name: string, value: Uint8Array])[]): Promise<void>;
  read(names: readonly string[]): Promise<Map<string, Buffer>>;
  /** Gives the run copies of existing values; resolves with the missing names. */
  hold(runId: string, names: readonly string[]): Promise<string[]>;
  /** Resolves with the number of deleted items. Can be repeated after an interruption. */
  clearRun(runId: string): Promise<number>;
}
