import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { mixedStudies, type GivenStudy } from './mixed-studies';

/** `tsx tests/support/mixed-studies/write-mixed-studies.ts STUDIES COUNT FILE`: writes so many documents, made of studies, as JSON lines. */
async function main([from, count, file]: string[]): Promise<void> {
  if (from === undefined || file === undefined) throw new Error('Name the studies, a number and a file.');
  const studies: GivenStudy[] = [];
  for await (const line of createInterface(createReadStream(from))) {
    if (line.trim() !== '') studies.push(JSON.parse(line) as GivenStudy); // the studies are in the product's own format
  }
  const lines = Readable.from(mixedStudies(studies, Number(count))).map(
    (record) => `${JSON.stringify(record)}\n`,
  );
  await pipeline(lines, createWriteStream(file));
}

void main(process.argv.slice(2));
