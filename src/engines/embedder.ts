export interface Embedder {
  /** Names the endpoint and the model: vectors of different names are not comparable. */
  readonly name: string;
  /** One vector a text, in their order, all of one length. Throws `EmbeddingFailedError`; cancellation passes untouched. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<number[][]>;
}
