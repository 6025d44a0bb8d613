/**
 * `[@id]`, or `[@id; @id]` for several sources. Only the renderer turns marks into numbers, so untrusted text cannot
 * become a link.
 */
const MARK = /\[@([^[\]]+)\]/g;

export function citationMark(sourceIds: readonly string[]): string {
  return `[${sourceIds.map((id) => `@${id}`).join('; ')}]`;
}

/** Cited ids in order of appearance, with repeats. */
export function citedIds(text: string): string[] {
  return [...text.matchAll(MARK)].flatMap((match) => idsOf(match[1] ?? ''));
}

/** Replaces each mark by the result of `render`. `start` and `end` are the offsets of the mark in `text`. */
export function replaceMarks(
  text: string,
  render: (sourceIds: string[], start: number, end: number) => string,
): string {
  return text.replace(MARK, (mark, inner: string, at: number) => render(idsOf(inner), at, at + mark.length));
}

function idsOf(inner: string): string[] {
  return inner
    .split(';')
    .map((part) => part.trim().replace(/^@/, ''))
    .filter((id) => id !== '');
}

/** Characters that GFM drops from the end of an address, up to the next white space. */
const LINK_END = /[!"&'),.:;<>?\]}]*(?:[ \t\r\n]|$)/y;

/** True if the text after the marks does not turn them into a link, a link definition or a longer address. */
export function isPlainCitation(marks: string, text: string, start: number, end: number): boolean {
  if (text[end] === '(') return false;
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (text[end] === ':' && !/[\p{L}\p{N}]/u.test(before)) return false;
  if (!marks.includes('://')) return true;
  LINK_END.lastIndex = end;
  return LINK_END.test(text);
}

/** The final punctuation mark with closing quotes and brackets. An ellipsis does not match. */
const STOP = /(?<![.!?])[.!?](["'”’)\]]*)$/;
/** `a.m.`, `U.S.`: the last full stop belongs to the word. */
const ABBREVIATED = /(?<![\p{L}\p{N}])(?:\p{L}\.)+\p{L}\.["'”’)\]]*$/u;

/** Puts the citation mark before the full stop. `word` formats the text of the sentence. */
export function insertCitations(
  sentence: string,
  citations: readonly string[],
  word: (text: string) => string,
): string {
  const stop = ABBREVIATED.test(sentence) ? '' : (STOP.exec(sentence)?.[0] ?? '');
  const body = word(sentence.slice(0, sentence.length - stop.length));
  return `${body} ${citationMark(citations)}${stop || '.'}`;
}

/** Maps offsets of the original text to the replaced text. Call `put` in the order of the replacements. */
export function createOffsetMap(): {
  put: (text: string, start: number, end: number) => string;
  offsetOf: (offset: number) => number;
} {
  const shifts: { from: number; by: number }[] = [];
  return {
    put(text, start, end) {
      shifts.push({ from: end, by: (shifts.at(-1)?.by ?? 0) + text.length - (end - start) });
      return text;
    },
    offsetOf: (offset) => offset + (shifts.findLast(({ from }) => from <= offset)?.by ?? 0),
  };
}
