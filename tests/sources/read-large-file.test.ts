import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sourceFolder } from './source-folder';

const SOURCES = 2_000;
const CHARS = 30_000;

/** Reads a file in a process of its own and prints how many sources there were, and how the heap grew meanwhile. */
const READER = `
  import { readSources } from ${JSON.stringify(join(__dirname, '../../src/sources/read-sources.ts'))};
  async function main() {
    let count = 0, early = 0, most = 0;
    for await (const reading of readSources([process.argv.at(-1)])) {
      if (!reading.ok) throw new Error(reading.problem.message);
      count += 1;
      if (count % 100 !== 0) continue;
      global.gc();
      const { heapUsed, external } = process.memoryUsage();
      if (count === 200) early = heapUsed + external;
      most = Math.max(most, heapUsed + external);
    }
    console.log(JSON.stringify({ count, grown: most - early }));
  }
  void main();
`;

it('reads a file of 60 MB without its memory growing with it', async () => {
  const folder = await sourceFolder();
  try {
    const file = join(folder.path, 'large.jsonl');
    const stream = createWriteStream(file);
    for (let index = 0; index < SOURCES; index += 1) {
      const record = { title: `T${index}`, content: `${index} `.padEnd(CHARS, 'word ') };
      if (!stream.write(`${JSON.stringify(record)}\n`))
        await new Promise<void>((resolve) => stream.once('drain', resolve));
    }
    await new Promise<void>((resolve) => stream.end(resolve));
    const reader = await folder.write('reader.ts', READER);
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--expose-gc',
      '--import',
      join(__dirname, '../../node_modules/tsx/dist/loader.mjs'),
      reader,
      file,
    ]);
    const { count, grown } = JSON.parse(stdout) as { count: number; grown: number };
    expect(count).toBe(SOURCES);
    expect(grown).toBeLessThan(8 * 1024 * 1024);
  } finally {
    await folder.dispose();
  }
});
