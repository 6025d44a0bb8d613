/** What one PDF may take: more is a collection, or an attack. */
export const PDF_LIMITS = {
  pages: 5_000,
  chars: 20_000_000,
  /** Of reading, on a busy machine. */
  ms: 120_000,
  /** Of the thread's heap. */
  heapMb: 768,
} as const;
