export interface StreamEvent {
  /** Empty where the stream does not name its events. */
  name: string;
  data: string;
}

/**
 * Takes an event stream apart, whatever the pieces are that it comes in: cut inside of characters, between the two
 * characters of a line's end, with comments in between. An event that the stream's end cuts off before its blank line
 * is given too, which the standard would drop: some servers leave out the last one.
 */
export class StreamEvents {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #held = '';
  #name = '';
  #data: string[] = [];

  push(piece: Uint8Array): StreamEvent[] {
    return this.#lines(this.#decoder.decode(piece, { stream: true }));
  }

  end(): StreamEvent[] {
    const last = this.#lines(`${this.#decoder.decode()}\n`);
    return [...last, ...this.#dispatch()];
  }

  #lines(text: string): StreamEvent[] {
    // A carriage return at the end may be the first half of a line's end.
    const whole = `${this.#held}${text}`;
    this.#held = whole.endsWith('\r') ? '\r' : '';
    const sure = whole.slice(0, whole.length - this.#held.length);
    // Looking through the rest for each piece of a long line would take the square of its length.
    if (!/[\r\n]/.test(sure)) {
      this.#rest += sure;
      return [];
    }
    const lines = `${this.#rest}${sure}`.split(/\r\n|\n|\r/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#take(line));
  }

  #take(line: string): StreamEvent[] {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return [];
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') this.#data.push(value);
    if (field === 'event') this.#name = value;
    return [];
  }

  #dispatch(): StreamEvent[] {
    const event = { name: this.#name, data: this.#data.join('\n') };
    this.#name = '';
    this.#data = [];
    return event.data === '' ? [] : [event];
  }
}
