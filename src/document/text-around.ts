/** So many UTF-16 units of the source's text are shown on either side of a quote at most. */
const CHARS = 300;
/** What is longer is no word: a text without spaces is cut where it is. */
const WORD = 40;

/** Where a sentence or a line ends, as far as signs tell; what is cut there is read as a whole. */
const END = /[.!?]["”’)\]]*\s+(?=[\p{Lu}\p{N}"“(#*[])|[。！？]|\n\s*/gu;
const BROKEN_START = new RegExp(`^(?:\\S{0,${WORD}}\\s+|[\\uDC00-\\uDFFF])`);
const BROKEN_END = new RegExp(`(?:\\s+\\S{0,${WORD}}|[\\uD800-\\uDBFF])$`);

/**
 * What stands before and behind a quote in its source, cut between sentences where that is possible, else between words: `before +
 * quote + after` stands so there. Both are empty where the text is not known, or the quote does not stand at its offsets.
 */
export function textAround(
  text: string | null,
  { quote, start, end }: { quote: string; start: number; end: number },
): { before: string; after: string } {
  if (text === null || text.slice(start, end) !== quote) return { before: '', after: '' };
  const [from, to] = [Math.max(0, start - CHARS), Math.min(text.length, end + CHARS)];
  const [before, after] = [text.slice(from, start), text.slice(end, to)];
  return {
    before: from === 0 ? before : fromSentence(before),
    after: to === text.length ? after : toSentence(after),
  };
}

/** Cuts at sentences that leave less than this of what could be shown cut too much. */
const LEAST = CHARS / 2;

function fromSentence(before: string): string {
  const [first] = before.matchAll(END);
  const at = first === undefined ? before.length : first.index + first[0].length;
  return before.length - at >= LEAST ? before.slice(at) : before.replace(BROKEN_START, '');
}

function toSentence(after: string): string {
  const last = [...after.matchAll(END)].at(-1);
  const at = last === undefined ? 0 : last.index + last[0].length;
  return at >= LEAST ? after.slice(0, at) : after.replace(BROKEN_END, '');
}
