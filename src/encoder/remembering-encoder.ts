import type { EncodedText, Encoder } from './encoder';

/** Texts that are read again in the same run or in the next: about 15 MB. */
const REMEMBERED = 300;

export function createRememberingEncoder(encoder: Encoder, most = REMEMBERED): Encoder {
  const known = new Map<string, EncodedText>();
  return {
    async encode(texts) {
      const missing = [...new Set(texts.filter((text) => !known.has(text)))];
      const made = await encoder.encode(missing);
      const fresh = new Map(missing.map((text, at) => [text, made[at]]));
      const found = texts.map((text) => {
        const encoded = known.get(text) ?? fresh.get(text);
        if (encoded === undefined) throw new Error('The encoder left out a text');
        return encoded;
      });
      // What was asked for last is forgotten last.
      for (const [at, text] of texts.entries()) {
        const encoded = found[at];
        known.delete(text);
        if (encoded !== undefined) known.set(text, encoded);
      }
      for (const text of known.keys()) {
        if (known.size <= most) break;
        known.delete(text);
      }
      return found;
    },
  };
}
