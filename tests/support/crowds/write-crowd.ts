import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CROWDS, type CrowdName } from './crowds';

/** `tsx tests/support/crowds/write-crowd.ts tiny|alike COUNT FILE`: writes a crowd of sources as JSON lines. */
async function main([name, count, file]: string[]): Promise<void> {
  if (name === undefined || !(name in CROWDS) || file === undefined)
    throw new Error(`Name one of ${Object.keys(CROWDS).join(', ')}, a number and a file.`);
  const records = CROWDS[name as CrowdName](Number(count));
  const lines = Readable.from(records).map((record) => `${JSON.stringify(record)}\n`);
  await pipeline(lines, createWriteStream(file));
}

void main(process.argv.slice(2));
