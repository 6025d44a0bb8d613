/** So many UTF-16 units of the source's text are shown on either side of a quote at most. */
const CHARS = 300;
/** What is longer is no word: a text without spaces is cut where it is. */
const WORD = 40;

const BROKEN_START = new RegExp(`^(?:\\S{0,${WORD}}\\s+|[\\uDC00-\\uDFFF])`);
const BROKEN_END = new RegExp(`(?:\\s+\\S{0,${WORD}}|[\\uD800-\\uDBFF])$`);

/**
 * What stands before and behind a quote in its source, cut between words: `before + quote + after` stands so there. Both are empty
 * where the text is not known, or the quote does not stand at its offsets.
 */
export function textAround(
  text: string | null,
  { quote, start, end }: { quote: string; start: number; end: number },
): { before: string; after: string } {
  if (text === null || text.slice(start, end) !== quote) return { before: '', after: '' };
  const [from, to] = [Math.max(0, start - CHARS), Math.min(text.length, end + CHARS)];
  const [before, after] = [text.slice(from, start), text.slice(end, to)];
  return {
    before: from === 0 ? before : before.replace(BROKEN_START, ''),
    after: to === text.length ? after : after.replace(BROKEN_END, ''),
  };
}
