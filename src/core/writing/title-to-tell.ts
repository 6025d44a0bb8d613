import { terms } from '../../language/words';
import { clip } from './attribution';

/** A title is quoted up to here. */
const MAX_CHARS = 220;
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
  return shared >= ENOUGH_SHARED * telling.length ? null : clip(title.trim(), MAX_CHARS);
}
