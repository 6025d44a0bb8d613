/** Reads what `ByteWriter` wrote, in the same order. Throws a `RangeError` where the bytes end too early. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  number(): number {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError('the bytes end within a number');
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
    }
  }

  block(): Uint8Array {
    const length = this.number();
    if (this.#at + length > this.#bytes.length) throw new RangeError('the bytes end within a block');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  text(): string {
    const { buffer, byteOffset, byteLength } = this.block();
    return Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
  }
}
