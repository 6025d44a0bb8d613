import type { ByteReader } from './bytes/byte-reader';
import { ByteWriter } from './bytes/byte-writer';

/** A stem seldom stands in a sentence more than once: its number is written only where it does. */
const ONCE = 0;
const OFTEN = 1;
const FEW_BYTES = 8;

/** In which sentences a stem stands, in order, and how often. */
export class PostingsWriter {
  readonly #bytes = new ByteWriter(FEW_BYTES);
  #last = 0;
  count = 0;

  add(sentence: number, times: number): void {
    this.#bytes.number((sentence - this.#last) * 2 + (times > 1 ? OFTEN : ONCE));
    if (times > 1) this.#bytes.number(times);
    this.#last = sentence;
    this.count += 1;
  }

  written(): Uint8Array {
    return this.#bytes.written();
  }
}

export function readPostings(
  bytes: ByteReader,
  count: number,
  each: (sentence: number, times: number) => void,
): void {
  let sentence = 0;
  for (let at = 0; at < count; at += 1) {
    const step = bytes.number();
    sentence += step >>> 1;
    each(sentence, step % 2 === OFTEN ? bytes.number() : 1);
  }
}
