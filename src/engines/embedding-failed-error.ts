/** Texts could not be embedded; the message says why, and repeats none of them. */
export class EmbeddingFailedError extends Error {
  override readonly name = 'EmbeddingFailedError';
}
