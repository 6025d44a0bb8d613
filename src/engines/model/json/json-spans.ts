/** A part of a text that may be an object or an array. */
export interface JsonSpan {
  text: string;
  /** False where the text ends before the last bracket. */
  closed: boolean;
}

/**
 * The outermost pairs of brackets in a text, in one pass. What stands inside of one is never given by itself: a part
 * of an answer is not the answer.
 */
export function jsonSpans(text: string): JsonSpan[] {
  const spans: JsonSpan[] = [];
  let start = -1;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') {
      // In prose, quotation marks are only quotation marks.
      inString = depth > 0;
    } else if (character === '{' || character === '[') {
      if (depth === 0) start = index;
      depth += 1;
    } else if ((character === '}' || character === ']') && depth > 0) {
      depth -= 1;
      if (depth === 0) spans.push({ text: text.slice(start, index + 1), closed: true });
    }
  }
  if (depth > 0) spans.push({ text: text.slice(start), closed: false });
  return spans;
}
