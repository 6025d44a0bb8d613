import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '../../lib/errors';
import { readFileBytes } from '../../lib/files';
import { stripUnsafe } from '../../lib/untrusted-text';
import { type DocumentTree, type ExportContext, UnprintableError } from './document';
import { htmlPage } from './html-page';

/** A page with hundreds of claims takes some seconds. */
const PRINT_MS = 60_000;
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_STDERR_CHARS = 4_000;

/** Network access is off: the page makes no requests, and its policy allows only its own script. */
const CHROMIUM_FLAGS = [
  '--headless',
  '--disable-gpu',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-extensions',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--no-pdf-header-footer',
  '--export-tagged-pdf',
  '--generate-pdf-document-outline',
];

/** Prints the page with Chromium. Rejects with `UnprintableError` if there is no browser or it fails. */
export async function renderPdf(
  tree: DocumentTree,
  { browsers, remark }: ExportContext,
): Promise<Uint8Array> {
  const browser = await findBrowser(browsers);
  if (browser === null) throw new UnprintableError('none was found');
  try {
    const printed = await printPage(browser, htmlPage(tree));
    remark(`Printed by ${browserName(printed)} (${browser}).`);
    return printed;
  } catch (error) {
    throw new UnprintableError(
      `${browser} did not print the page: ${stripUnsafe(errorMessage(error)).replace(/\s+/g, ' ')}`,
    );
  }
}

/** From the file itself: `Skia/PDF m156` is Chromium 156. */
function browserName(printed: Uint8Array): string {
  const version = /Skia\/PDF m(\d+)/.exec(Buffer.from(printed).toString('latin1'))?.[1];
  return version === undefined ? 'a browser' : `Chromium ${version}`;
}

async function findBrowser(programs: readonly string[]): Promise<string | null> {
  for (const program of programs) {
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  return null;
}

/** Rejects with a one-line reason; the browser is stopped and its files are deleted in any case. */
export async function printPage(
  browser: string,
  page: string,
  tooLate = AbortSignal.timeout(PRINT_MS),
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'colligate-print-'));
  try {
    const [source, printed] = [join(folder, 'page.html'), join(folder, 'page.pdf')];
    await writeFile(source, page);
    const how = [
      ...CHROMIUM_FLAGS,
      `--user-data-dir=${join(folder, 'profile')}`,
      `--print-to-pdf=${printed}`,
    ];
    // Chromium's sandbox does not start as root.
    if (process.getuid?.() === 0) how.push('--no-sandbox');
    const complaint = await runProgram(browser, [...how, pathToFileURL(source).href], tooLate);
    const file = await readFileBytes(printed, { maxBytes: MAX_BYTES });
    if (!file.ok) throw new Error(`it left no file${complaint === '' ? '' : `: ${complaint}`}`);
    return file.bytes;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** Resolves with the last line of standard error. */
function runProgram(program: string, args: readonly string[], tooLate: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'ignore', 'pipe'],
      signal: tooLate,
      killSignal: 'SIGKILL',
    });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint = `${complaint}${text}`.slice(-MAX_STDERR_CHARS);
    });
    child.on('error', (error) => {
      // After a timeout, `close` still follows.
      if (!tooLate.aborted) reject(new Error(`it does not start (${errorMessage(error)})`));
    });
    child.on('close', (code, signal) => {
      const last = complaint.trim().split('\n').at(-1) ?? '';
      if (tooLate.aborted) reject(new Error('it took too long'));
      else if (code === 0) resolve(last);
      else reject(new Error(`it ended with ${code ?? signal ?? 'nothing'}${last === '' ? '' : `: ${last}`}`));
    });
  });
}
