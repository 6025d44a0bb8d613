/** What one PDF may take. */
export interface PdfLimits {
  pages: number;
  chars: number;
  /** Pieces of text that stand by themselves on one page. */
  pageItems: number;
  /** For one page. */
  pageMs: number;
  ms: number;
  memoryMb: number;
}

/** More is a collection, or an attack. */
export const PDF_LIMITS: PdfLimits = {
  pages: 5_000,
  chars: 20_000_000,
  /** A page full of text has some thousands. */
  pageItems: 100_000,
  /** A page takes some milliseconds; one that holds anything but text may take all its time to say so. */
  pageMs: 20_000,
  /** Of reading, on a busy machine. */
  ms: 120_000,
  /** Of the thread's heap, and of all that the process grows by meanwhile: a small file can inflate to anything. */
  memoryMb: 1_024,
};
