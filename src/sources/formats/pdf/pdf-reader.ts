import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { PDF_LIMITS } from './pdf-limits';
import type { PdfReading } from './pdf-thread';

/** Reads PDFs one after the other in a thread of its own, which a PDF that never ends or takes all memory does not outlive. */
export interface PdfReader {
  read(bytes: Uint8Array): Promise<PdfReading | { ok: false; why: 'too-slow' | 'too-large'; pages: 0 }>;
  close(): Promise<void>;
}

/** The thread starts with the first PDF. */
export function createPdfReader(): PdfReader {
  let piscina: Piscina<Uint8Array, PdfReading> | null = null;
  return {
    async read(bytes) {
      piscina ??= startThread();
      const tooSlow = AbortSignal.timeout(PDF_LIMITS.ms);
      try {
        return await piscina.run(bytes, { signal: tooSlow });
      } catch {
        // Whatever ends the thread is the PDF's doing: what it throws itself is a reading.
        return { ok: false, why: tooSlow.aborted ? 'too-slow' : 'too-large', pages: 0 };
      }
    },
    async close() {
      await piscina?.destroy();
    },
  };
}

function startThread(): Piscina<Uint8Array, PdfReading> {
  const compiled = join(__dirname, 'pdf-thread.js');
  const built = existsSync(compiled);
  return new Piscina({
    filename: built ? compiled : join(__dirname, 'pdf-thread.ts'),
    // From TypeScript sources (tests, development) a thread needs the loader that the main thread has.
    execArgv: built ? [] : ['--require', 'tsx/cjs'],
    minThreads: 0,
    maxThreads: 1,
    resourceLimits: { maxOldGenerationSizeMb: PDF_LIMITS.heapMb },
  });
}
