const OPENING = '“„«「『';
const CLOSING = '”“»」』';

/** A stretch in quotation marks: `text` is what stands between them, the places are those of the marks. */
export interface Quotation {
  text: string;
  start: number;
  end: number;
}

/** The quotations of a sentence, the outer ones of those that stand in each other; marks that do not pair open nothing. */
export function quotationsIn(sentence: string): Quotation[] {
  const found: Quotation[] = [];
  for (let at = 0; at < sentence.length; at += 1) {
    const end = endOfQuotation(sentence, at);
    if (end === null) continue;
    found.push({ text: sentence.slice(at + 1, end - 1), start: at, end });
    at = end - 1;
  }
  return found;
}

function endOfQuotation(sentence: string, start: number): number | null {
  const mark = sentence.charAt(start);
  if (mark === '"') {
    const close = sentence.indexOf('"', start + 1);
    return close < 0 ? null : close + 1;
  }
  const kind = OPENING.indexOf(mark);
  const closing = CLOSING.charAt(kind);
  if (kind < 0 || mark === '') return null;
  let depth = 0;
  for (let at = start; at < sentence.length; at += 1) {
    const here = sentence.charAt(at);
    if (here === closing) depth -= 1;
    else if (here === mark) depth += 1;
    if (depth === 0) return at + 1;
  }
  return null;
}
