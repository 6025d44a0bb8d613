/** Each with its closing mark at the same place below. */
const OPENING = '“„«「『';
const CLOSING = '”“»」』';

/** A stretch in quotation marks: `text` is what stands between them, the places are those of the marks. */
export interface Quotation {
  text: string;
  start: number;
  end: number;
}

/**
 * The quotations of a sentence, the outer ones of those that stand in each other. One that an earlier sentence opened begins
 * with the text, and one that a later sentence closes ends with it.
 */
export function quotationsIn(sentence: string): Quotation[] {
  const found: Quotation[] = [];
  const marks: { closing: string; at: number }[] = [];
  const add = (start: number, end: number, from: number, to: number): void =>
    void found.push({ text: sentence.slice(from, to), start, end });
  for (let at = 0; at < sentence.length; at += 1) {
    const mark = sentence.charAt(at);
    const open = marks.at(-1);
    const opens = OPENING.indexOf(mark);
    if (open !== undefined && mark === open.closing) {
      marks.pop();
      if (marks.length === 0) add(open.at, at + 1, open.at + 1, at);
    } else if (opens >= 0 || (mark === '"' && open === undefined)) {
      marks.push({ closing: opens < 0 ? '"' : CLOSING.charAt(opens), at });
    } else if (open === undefined && found.length === 0 && CLOSING.includes(mark)) {
      add(0, at + 1, 0, at);
    }
  }
  const [unclosed] = marks;
  if (unclosed !== undefined && unclosed.closing !== '"')
    add(unclosed.at, sentence.length, unclosed.at + 1, sentence.length);
  return found;
}
