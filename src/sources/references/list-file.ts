import { type FileBounds, readGivenFile } from '../../platform/given-file';
import { isAddress } from '../pages/told-address';
import type { ReferenceReading } from './reference';

/** Tens of thousands of addresses, and thousands of abstracts. */
const BOUNDS: FileBounds = { maxBytes: 16 * 1024 * 1024, otherwise: 'split it into several files' };

const HEAD_BYTES = 65_536;

/** The bytes of a file that may name sources, or what is wrong with it; null where it holds something else. */
export async function listFile(
  file: string,
  ending: string,
): Promise<{ bytes: Buffer } | { problem: ReferenceReading } | null> {
  const isBibliography = ending === '.ris' || ending === '.bib';
  if (!isBibliography && ending !== '.txt') return null;
  const given = await readGivenFile(file, BOUNDS);
  if (!given.ok) return isBibliography ? { problem: { ok: false, line: 1, message: given.message } } : null;
  return isBibliography || beginsWithLink(given.bytes) ? { bytes: given.bytes } : null;
}

function beginsWithLink(bytes: Buffer): boolean {
  const head = bytes.toString('utf8', 0, HEAD_BYTES).replace(/^\ufeff/, '');
  const lines = head.split(/\r\n?|\n/).map((line) => line.trim());
  const first = lines.find((line) => line !== '' && !line.startsWith('#'));
  return first === undefined ? bytes.length > HEAD_BYTES : isAddress(first);
}
