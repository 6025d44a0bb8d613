/** A text as vectors: one for each of its tokens in order, and one for the whole. All are of length 1. */
export interface EncodedText {
  /** Pieces of words; a piece that goes on with the word before it begins with “##”. */
  tokens: readonly string[];
  /** The tokens' vectors, one behind the other. */
  vectors: Float32Array;
  /** The mean of the tokens' vectors. */
  mean: Float32Array;
}

export interface Encoder {
  /** In the order of the texts. Words beyond the encoder's length are not read. */
  encode(texts: readonly string[]): Promise<EncodedText[]>;
}
