/**
 * Citations in text on its way to the renderer: `[@id]`, or `[@id; @id]` where several sources agree. Only the
 * renderer turns marks into numbers, so nothing a source or a model writes can become a link by itself.
 */
const MARK = /\[@(?!aside )([^[\]]+)\]/g;

export function citationMark(sourceIds: readonly string[]): string {
  return `[${sourceIds.map((id) => `@${id}`).join('; ')}]`;
}

/** Where the `place`-th of the claims that a draft has set aside stood; an id of a source has no space. */
export function asideMark(place: number): string {
  return `[@aside ${place}]`;
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

const ASIDE_MARK = /\[@aside \d+\]/g;
const ASIDE_MARKS = / *\[@aside \d+\](?: *\[@aside \d+\])*/g;

/** Replaces the marks of claims that are set aside, those that follow one another together, with the spaces before them. */
export function replaceAsides(
  text: string,
  render: (marks: string[], start: number, end: number) => string,
): string {
  return text.replace(ASIDE_MARKS, (marks, start: number) =>
    render(marks.match(ASIDE_MARK) ?? [], start, start + marks.length),
  );
}
