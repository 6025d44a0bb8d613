/** A parser's time grows faster than its text; what is longer is parsed in pieces that end between blocks. */
const LONG = 40_000;
/** Lines that no blank one parts are one block to a parser, whose time grows with its square. */
const LONG_RUN = 16_000;
/** The same where cutting would tear rows from their table, or what is indented from its item. */
const LONGEST_RUN = 160_000;
/** A line takes time beside that for its signs, so many of which it counts for. */
const LINE = 40;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** Lists and quotations within each other beyond this depth are a stack's end, no structure. */
const DEEPEST = 24;
const MARKERS = /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))+/;
const MARKER = />|[-*+][ \t]|\d{1,9}[.)][ \t]/g;

/** What `parse` makes of each piece of the text, together. Pieces are as long as the text that they stand for. */
export function parsePieces<Part>(text: string, parse: (piece: string, offset: number) => Part[]): Part[] {
  const parts: Part[] = [];
  let start = 0;
  let fence: string | null = null;
  let piece = '';
  let weight = 0;
  let run = 0;
  const cut = (): void => {
    for (const part of parse(piece, start)) parts.push(part);
    start += piece.length;
    piece = '';
    weight = 0;
    run = 0;
  };
  for (const line of linesOf(text)) {
    // The rows of a table, and what is indented, belong to what stands before them.
    if (fence === null && run >= (/^[\s|]/.test(line) ? LONGEST_RUN : LONG_RUN)) cut();
    piece += withoutDepth(line);
    weight += LINE + line.length;
    run = line.trim() === '' ? 0 : run + LINE + line.length;
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
    }
    const isBetweenBlocks = fence === null && (mark !== undefined || line.trim() === '');
    if (isBetweenBlocks && weight >= LONG) cut();
  }
  cut();
  return parts;
}

/** The text, as long as it is, without lists and quotations within each other that no parser's stack holds. */
export function withBoundedDepth(text: string): string {
  return [...linesOf(text)].map(withoutDepth).join('');
}

function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', start)) {
    yield text.slice(start, at + 1);
    start = at + 1;
  }
  yield text.slice(start);
}

/** As long as before. A byte order mark would shift all that follows. */
function withoutDepth(line: string): string {
  const plain = line.startsWith('\ufeff') ? ` ${line.slice(1)}` : line;
  const indented = plain.replace(/^[ \t]{60,}/, (space) => `x${space.slice(1)}`);
  const markers = MARKERS.exec(indented)?.[0];
  if (markers === undefined || markers.length <= DEEPEST) return indented;
  let depth = 0;
  const fewer = markers.replace(MARKER, (marker) =>
    (depth += 1) <= DEEPEST ? marker : 'x'.repeat(marker.length),
  );
  return fewer + indented.slice(markers.length);
}
