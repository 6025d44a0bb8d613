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
