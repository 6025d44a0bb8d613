const FIRST_BYTES = 64;

/** Numbers and texts as few bytes, one after another; `ByteReader` reads them in the same order. */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(firstBytes = FIRST_BYTES) {
    this.#bytes = new Uint8Array(firstBytes);
  }

  get length(): number {
    return this.#length;
  }

  /** A whole number from 0 to 2^32 − 1: seven bits a byte, the lowest first. */
  number(value: number): void {
    this.#makeRoom(5);
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Bytes with their number before them. */
  block(bytes: Uint8Array): void {
    this.number(bytes.length);
    this.append(bytes);
  }

  text(text: string): void {
    this.block(Buffer.from(text, 'utf8'));
  }

  append(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** What was written so far; valid until more is written. */
  written(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** What was written, as bytes of their own. */
  copy(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #makeRoom(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.written());
    this.#bytes = larger;
  }
}
