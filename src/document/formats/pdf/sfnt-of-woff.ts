import { inflateSync } from 'node:zlib';

const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const SFNT_HEADER = 12;
const SFNT_ENTRY = 16;

/**
 * A font of the web as one of the system (WOFF 1.0, section 3): the same tables, inflated. What reads fonts for PDFs inflates them
 * as well, in seconds where zlib takes milliseconds.
 */
export function sfntOfWoff(woff: Buffer): Buffer {
  const amount = woff.readUInt16BE(12);
  const header = Buffer.alloc(SFNT_HEADER + amount * SFNT_ENTRY);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(amount, 4);
  const power = Math.floor(Math.log2(amount));
  [16 * 2 ** power, power, 16 * (amount - 2 ** power)].forEach((value, at) =>
    header.writeUInt16BE(value, 6 + 2 * at),
  );
  const tables: Buffer[] = [];
  let offset = header.length;
  for (let at = 0; at < amount; at += 1) {
    const entry = WOFF_HEADER + at * WOFF_ENTRY;
    const [from, stored, length] = [4, 8, 12].map((field) => woff.readUInt32BE(entry + field));
    const given = woff.subarray(from, (from ?? 0) + (stored ?? 0));
    const table = stored === length ? given : inflateSync(given);
    const to = SFNT_HEADER + at * SFNT_ENTRY;
    woff.copy(header, to, entry, entry + 4);
    woff.copy(header, to + 4, entry + 16, entry + 20);
    header.writeUInt32BE(offset, to + 8);
    header.writeUInt32BE(table.length, to + 12);
    // Tables begin at multiples of four.
    const padded = Buffer.concat([table, Buffer.alloc(-table.length & 3)]);
    tables.push(padded);
    offset += padded.length;
  }
  return Buffer.concat([header, ...tables]);
}
