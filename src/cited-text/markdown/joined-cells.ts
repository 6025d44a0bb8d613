import { append } from '../../core/values/append';
import type { InlineText } from './inline-text';

/** The texts of a row's cells in one, parted as they are written. */
export function joinedCells(cells: readonly InlineText[]): InlineText {
  const joined: InlineText = { text: '', scanned: '', starts: [], ends: [], spans: [] };
  for (const [at, cell] of cells.entries()) {
    if (at > 0) {
      const end = joined.ends.at(-1) ?? cell.starts[0] ?? 0;
      for (const character of ' | ') {
        joined.text += character;
        joined.scanned += character;
        joined.starts.push(end);
        joined.ends.push(end);
      }
    }
    const shift = joined.text.length;
    joined.text += cell.text;
    joined.scanned += cell.scanned;
    for (const [place, start] of cell.starts.entries()) {
      joined.starts.push(start);
      joined.ends.push(cell.ends[place] ?? start);
    }
    append(
      joined.spans,
      cell.spans.map((span) => ({ ...span, from: span.from + shift, to: span.to + shift })),
    );
  }
  return joined;
}
