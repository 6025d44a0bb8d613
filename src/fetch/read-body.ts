import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { FetchError } from './fetch-error';

/** Those that Node 20 decodes; a server may send no other, as it is told of no other. */
const DECODERS = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
};

export const ACCEPTED_CODINGS = 'gzip, br, deflate';

interface BodyOptions {
  url: URL;
  /** The header `Content-Encoding`. */
  encoding: string | null;
  maxBytes: number;
  /** Whether of a body that is too large the start is read, instead of none of it. */
  isCut: boolean;
  onPart: () => void;
}

/** A body's bytes, decoded. They are counted on both sides as they come, so that no more than the cap is ever held. Throws `FetchError`. */
export async function readBody(
  body: Readable,
  { url, encoding, maxBytes, isCut, onPart }: BodyOptions,
): Promise<Buffer> {
  const decoder = decoderOf(url, encoding);
  const beyond = tooLarge(url, maxBytes);
  const counted = async function* (parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let left = maxBytes;
    for await (const part of parts) {
      if (part.length > left && isCut) yield part.subarray(0, left);
      left -= part.length;
      if (left < 0) throw beyond;
      yield part;
    }
  };
  const arriving = async function* (parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of counted(parts)) {
      onPart();
      yield part;
    }
  };
  const kept: Buffer[] = [];
  const keep = async (parts: AsyncIterable<Buffer>): Promise<void> => {
    for await (const part of counted(parts)) kept.push(part);
  };
  try {
    await (decoder === null ? pipeline(body, arriving, keep) : pipeline(body, arriving, decoder, keep));
  } catch (error) {
    if (!isCut || error !== beyond) throw error;
  }
  return Buffer.concat(kept);
}

export function tooLarge(url: URL, maxBytes: number): FetchError {
  const most = `${Math.floor(maxBytes / 1_048_576).toLocaleString('en')} MB`;
  return new FetchError(
    'too-large',
    url,
    `it is larger than the ${most} that a page may have; give a part of it as a file`,
  );
}

function decoderOf(url: URL, encoding: string | null): ReturnType<typeof createGunzip> | null {
  const coding = (encoding ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return null;
  const known = Object.entries(DECODERS).find(([name]) => name === coding);
  if (known === undefined)
    throw new FetchError(
      'unreadable',
      url,
      'it comes in an encoding that was not asked for; save it, and give the file',
    );
  return known[1]();
}
