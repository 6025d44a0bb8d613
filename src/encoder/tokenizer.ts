import * as tokenizers from '@huggingface/tokenizers';

/** Takes a text apart into pieces of words, with the marks that it begins and ends with. */
export interface Tokenizer {
  encode(text: string): { ids: number[]; tokens: string[] };
}

// The package's own types name files without their endings, which resolves to none.
const { Tokenizer: WordPieces } = tokenizers as unknown as {
  Tokenizer: new (vocabulary: object, settings: object) => Tokenizer;
};

/** `vocabulary` is what a model's `tokenizer.json` holds. */
export function createTokenizer(vocabulary: object): Tokenizer {
  return new WordPieces(vocabulary, {});
}
