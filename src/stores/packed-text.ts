// Node 20 has `isWellFormed`, which the project's es2023 does not declare.
/// <reference lib="es2024.string" />
import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  brotliDecompress,
  brotliDecompressSync,
  constants,
} from 'node:zlib';

/**
 * A text as it is stored: one byte of flags, four bytes of its length in UTF-16 units (little-endian), then the text.
 * Well-formed text is UTF-8; text with unpaired surrogates is UTF-16, because UTF-8 cannot hold it.
 */
const HEADER_BYTES = 5;
const FLAG_BROTLI = 1;
const FLAG_UTF16 = 2;
const KNOWN_FLAGS = FLAG_BROTLI | FLAG_UTF16;

/** Shorter texts gain nothing from compression. */
const MIN_COMPRESSED_BYTES = 200;

/**
 * Above this a text is compressed in another thread, so that it does not hold up the heartbeats. Below it that costs
 * more time and memory than it saves (500 articles of 32 KB: 0.49 s and 26 MB here, 0.46 s and 50 MB in four threads).
 */
const MAX_BYTES_IN_THIS_THREAD = 256 * 1024;

/** Quality 4 keeps a third of an article's bytes at about 30 MB/s; a window of 256 KB spares memory. */
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

/** The text, exactly as it was packed. Throws where the bytes are not a packed text. */
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

/** The text's length in UTF-16 units, without unpacking it; 0 where the bytes are too few to say it. */
export function packedTextLength(packed: Buffer): number {
  return packed.length < HEADER_BYTES ? 0 : packed.readUInt32LE(1);
}

async function compress(plain: Buffer): Promise<Buffer> {
  const options = { params: { ...compressionParams, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } };
  return plain.length <= MAX_BYTES_IN_THIS_THREAD
    ? brotliCompressSync(plain, options)
    : promisify(brotliCompress)(plain, options);
}

async function decompress(body: Buffer, textLength: number): Promise<Buffer> {
  // A UTF-16 unit takes three bytes at most; damaged bytes must not fill the memory.
  const options = { maxOutputLength: Math.max(1, textLength * 3) };
  return textLength <= MAX_BYTES_IN_THIS_THREAD
    ? brotliDecompressSync(body, options)
    : promisify(brotliDecompress)(body, options);
}
