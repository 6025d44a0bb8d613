/** So much of an answer's end is looked at. */
const WINDOW_CHARS = 4_000;

/** A stretch that is so long together is no text. A line of dashes in a table is shorter. */
const LEAST_CHARS = 300;

/** How much has to come before the end is looked at again, which takes the window's length. */
const STEP_CHARS = 200;

/** Watches a growing text for one stretch over and over, as models write it that do not find their end. */
export class RepetitionWatch {
  #tail = '';
  #chars = 0;
  #unseen = 0;
  readonly #times: number;

  /** A stretch that comes so many times in a row is no text. */
  constructor(times: number) {
    this.#times = times;
  }

  /** How much of the text stands before it repeats itself, its stretch once included; null where it does not. */
  push(text: string): number | null {
    this.#chars += text.length;
    this.#unseen += text.length;
    this.#tail = `${this.#tail}${text}`.slice(-WINDOW_CHARS);
    if (this.#unseen < STEP_CHARS) return null;
    this.#unseen = 0;
    const end = repeatingTail(this.#tail, this.#times) ?? repeatingWords(this.#tail, this.#times);
    return end === null ? null : this.#chars - this.#tail.length + end;
  }
}

/** The same of a text whose white space varies from one time to the next, as it does in JSON. */
function repeatingWords(text: string, times: number): number | null {
  const places = [...text.matchAll(/\S|\s+/g)].map(({ index }) => index);
  const end = repeatingTail(places.map((place) => text[place]?.replace(/\s/, ' ')).join(''), times);
  return end === null ? null : (places[end] ?? text.length);
}

/**
 * Where the first stretch ends of the longest end of a text that is one stretch over and over; null where there is none. By
 * the prefix function of Knuth, Morris and Pratt over the reversed text: a prefix of length n with a border of length b has
 * the period n - b.
 */
function repeatingTail(text: string, times: number): number | null {
  const borders = new Int32Array(text.length);
  const at = (index: number): number => text.charCodeAt(text.length - 1 - index);
  let firstEnd: number | null = null;
  let border = 0;
  for (let index = 1; index < text.length; index += 1) {
    while (border > 0 && at(border) !== at(index)) border = borders[border - 1] ?? 0;
    if (at(border) === at(index)) border += 1;
    borders[index] = border;
    const chars = index + 1;
    const period = chars - border;
    if (chars >= LEAST_CHARS && chars >= times * period) firstEnd = text.length - chars + period;
  }
  return firstEnd;
}
