import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { PDF_LIMITS, type PdfLimits } from './pdf-limits';
import type { PdfReading } from './pdf-thread';

/** Reads PDFs one after the other in a thread of its own, which a PDF that never ends or takes all memory does not outlive. */
export interface PdfReader {
  read(bytes: Uint8Array): Promise<PdfReading | { ok: false; why: 'too-slow' | 'too-large'; pages: 0 }>;
  close(): Promise<void>;
}

const BYTES_A_MB = 1_048_576;
/** How often it is looked how much memory the process has: it grows by some hundred MB a second at most. */
const LOOK_EVERY_MS = 100;

/** The thread starts with the first PDF. */
export function createPdfReader(limits: Pick<PdfLimits, 'ms' | 'memoryMb'> = PDF_LIMITS): PdfReader {
  let piscina: Piscina<Uint8Array, PdfReading> | null = null;
  return {
    async read(bytes) {
      piscina ??= startThread(limits.memoryMb);
      const end = new AbortController();
      const tooSlow = AbortSignal.timeout(limits.ms);
      const before = process.memoryUsage.rss();
      const look = setInterval(() => {
        if (process.memoryUsage.rss() - before > limits.memoryMb * BYTES_A_MB) end.abort();
      }, LOOK_EVERY_MS);
      try {
        return await piscina.run(bytes, { signal: AbortSignal.any([tooSlow, end.signal]) });
      } catch {
        // Whatever ends the thread is the PDF's doing: what it throws itself is a reading.
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

function startThread(heapMb: number): Piscina<Uint8Array, PdfReading> {
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
