import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BUILT } from '../support/build';
import { untilTrue } from '../support/until';
import { crowdedPdf } from './one-page-pdf';

/** Takes many seconds to parse, during which nothing else is looked at. */
const LONG = crowdedPdf(`${'q '.repeat(6_000_000)}BT /F1 12 Tf 10 200 Td (a) Tj ET`);
const READS = `const { createDocumentParser } = require(process.argv[1]);
createDocumentParser().parse('pdf', Buffer.from(process.argv[2], 'base64'));`;

/** What the system knows of a process, empty where it is gone. */
function told(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

const itOnLinux = process.platform === 'linux' ? it : it.skip;

itOnLinux('leaves no process that parses behind where the one that reads is killed', async () => {
  const parser = path.join(BUILT, 'sources/formats/parsing/document-parser.js');
  const reader = spawn(process.execPath, ['-e', READS, parser, Buffer.from(LONG).toString('base64')]);
  const children = `/proc/${reader.pid}/task/${reader.pid}/children`;
  await untilTrue(() => told(children) !== '');
  const child = told(children);
  reader.kill('SIGKILL');
  // Whoever takes over what is left behind may let it stand as ended.
  await untilTrue(() => /^$|\) [ZX] /.test(told(`/proc/${child}/stat`)));
});
