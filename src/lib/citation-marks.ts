/**
 * Citations in text on its way to the renderer: `[@id]`, or `[@id; @id]` where several sources agree. Only the
 * renderer turns marks into numbers, so nothing a source or a model writes can become a link by itself.
 */
const MARK = /\[@([^[\]]+)\]/g;

export function citationMark(sourceIds: readonly string[]): string {
  return `[${sourceIds.map((id) => `@${id}`).join('; ')}]`;
}

/** The ids that the text cites, in order of appearance, with repeats. */
export function citedIds(text: string): string[] {
  return [...text.matchAll(MARK)].flatMap((match) => idsOf(match[1] ?? ''));
}

/** Replaces each mark by what `render` makes of its ids; `start` and `end` are the mark's offsets. */
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

/** What GFM leaves out of an address, where nothing but this stands between its bracket and a space. */
const LINK_END = /[!"&'),.:;<>?\]}]*(?:[ \t\r\n]|$)/y;

/** Whether what follows makes no more of a bracket: no link with its target, no definition, no longer address. */
export function staysCitation(marks: string, text: string, start: number, end: number): boolean {
  if (text[end] === '(') return false;
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (text[end] === ':' && !/[\p{L}\p{N}]/u.test(before)) return false;
  if (!marks.includes('://')) return true;
  LINK_END.lastIndex = end;
  return LINK_END.test(text);
}

/** One mark that ends a sentence, with what closes around it; an ellipsis stays where it is. */
const STOP = /(?<![.!?])[.!?](["'”’)\]]*)$/;
/** `a.m.`, `U.S.`: the last stop is of the word, and the sentence's own is not written. */
const ABBREVIATED = /(?<![\p{L}\p{N}])(?:\p{L}\.)+\p{L}\.["'”’)\]]*$/u;

/** A sentence with its citations before the full stop; `word` is how its words are written in the text. */
export function citedBeforeStop(
  sentence: string,
  citations: readonly string[],
  word: (text: string) => string,
): string {
  const stop = ABBREVIATED.test(sentence) ? '' : (STOP.exec(sentence)?.[0] ?? '');
  const body = word(sentence.slice(0, sentence.length - stop.length));
  return `${body} ${citationMark(citations)}${stop || '.'}`;
}

/** Where offsets go when parts of a text are replaced, which are told in their order. */
export function createShifts(): {
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
