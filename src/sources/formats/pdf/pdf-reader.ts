import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { PDF_LIMITS, type PdfLimits } from './pdf-limits';
import type { PdfReading, PdfTask } from './pdf-thread';

/** What a PDF did that did not end by itself, and on which page; 0 where that is not known. */
interface Unended {
  ok: false;
  why: 'too-slow' | 'too-slow-a-page' | 'too-large';
  pages: number;
}

/** Reads PDFs one after the other in a thread of its own, which a PDF that never ends or takes all memory does not outlive. */
export interface PdfReader {
  read(bytes: Uint8Array): Promise<PdfReading | Unended>;
  close(): Promise<void>;
}

const BYTES_A_MB = 1_048_576;
/** How often it is looked how much memory the process has: it grows by some hundred MB a second at most. */
const LOOK_EVERY_MS = 100;

/** The thread starts with the first PDF. */
export function createPdfReader(
  limits: Pick<PdfLimits, 'ms' | 'pageMs' | 'memoryMb'> = PDF_LIMITS,
): PdfReader {
  let piscina: Piscina<PdfTask, PdfReading> | null = null;
  return {
    async read(bytes) {
      piscina ??= startThread(limits.memoryMb);
      const end = new AbortController();
      const tooSlow = AbortSignal.timeout(limits.ms);
      const before = process.memoryUsage.rss();
      const page = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      let slowPage = 0;
      const isSlow = pageClock(limits.pageMs);
      const look = setInterval(() => {
        const number = Atomics.load(page, 0);
        if (isSlow(number)) slowPage = number;
        if (slowPage > 0 || process.memoryUsage.rss() - before > limits.memoryMb * BYTES_A_MB) end.abort();
      }, LOOK_EVERY_MS);
      try {
        const signal = AbortSignal.any([tooSlow, end.signal]);
        return await piscina.run({ bytes, page }, { signal });
      } catch {
        // Whatever ends the thread is the PDF's doing: what it throws itself is a reading.
        if (slowPage > 0) return { ok: false, why: 'too-slow-a-page', pages: slowPage };
        return { ok: false, why: tooSlow.aborted ? 'too-slow' : 'too-large', pages: 0 };
      } finally {
        clearInterval(look);
      }
    },
    async close() {
      await piscina?.destroy();
    },
  };
}

/** Whether the page that is read has been read for longer than it may; none is before the first. */
function pageClock(pageMs: number): (page: number) => boolean {
  let known = 0;
  let since = 0;
  return (page) => {
    if (page !== known) since = performance.now();
    known = page;
    return page > 0 && performance.now() - since > pageMs;
  };
}

function startThread(heapMb: number): Piscina<PdfTask, PdfReading> {
  const compiled = join(__dirname, 'pdf-thread.js');
  const built = existsSync(compiled);
  return new Piscina({
    filename: built ? compiled : join(__dirname, 'pdf-thread.ts'),
    // From TypeScript sources (tests, development) a thread needs the loader that the main thread has.
    execArgv: built ? [] : ['--require', 'tsx/cjs'],
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
}
