import { terms } from '../../language/words';

const MAX_CHARS = 220;
/** Of a longer one its first parts are told, whole. */
const PART_ENDS = [': ', '. ', '? ', ' – '];
/** A shorter title tells little of what its source is about. */
const LEAST_TERMS = 3;
/** A quote that has this share of a title's words says by itself what it is about. */
const ENOUGH_SHARED = 0.5;

/** The title of a quote's source, where the quote leaves out most of what it names; null where it does not. */
export function titleToTell(quote: string, title: string): string | null {
  const said = new Set(terms(quote));
  const telling = [...new Set(terms(title))];
  if (telling.length < LEAST_TERMS) return null;
  const shared = telling.filter((term) => said.has(term)).length;
  return shared >= ENOUGH_SHARED * telling.length ? null : firstParts(title.trim());
}

/** Null where a title is too long and has no parts: it is quoted, and a quote is not cut. */
function firstParts(title: string): string | null {
  if (title.length <= MAX_CHARS) return title;
  const start = title.slice(0, MAX_CHARS);
  const end = Math.max(...PART_ENDS.map((mark) => start.lastIndexOf(mark)));
  return end <= 0 ? null : start.slice(0, end);
}
