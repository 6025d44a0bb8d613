import { withoutAddresses } from '../core/text/links';
import { tokensOf } from '../language/tokens';
import { looksBroken } from './features/sentence-signs';

/** A heading, a caption or a fragment has fewer words; a sentence of a script without spaces has fewer spaces, not words. */
const LEAST_WORDS = 4;
const LONGEST_CHARS = 900;
/** What is left of a tag, or of a sentence that a name stood before: `id="Par43">In 2002 …`, `[58] concluded that …`. */
const REMNANT = /^(?:[\w-]+="[^"]*"[^<>]{0,40}>|\[\d[\d,\s–-]*\]\s+\p{Ll})/u;
/** What is left of a row, or what a table or a figure is called: `.79 % Taking tea`, `Take tea 3.75`, `Table 1Characteristics of …`. */
const ROW = /^(?:[.,;:%)\]]|(?:Table|Figure|Fig\.?)\s*\d+[\s.:]*\p{Lu})|\p{L}\s\d+[.,]\d+$/u;
const LABEL = /^\p{Lu}[\p{Lu}\s.]*:\s*/u;

/** Whether a sentence, as a reader sees its links, reads as one by itself: no row of a table, no question, no title, no list of marks. */
export function isQuotable(sentence: string, title: string): boolean {
  const text = withoutAddresses(sentence).trim();
  const tokens = tokensOf(text);
  if (tokens.length < LEAST_WORDS || sentence.length > LONGEST_CHARS) return false;
  if (/[?？]["'”’)]*$/.test(text) || looksBroken(text, tokens.length)) return false;
  if (REMNANT.test(text) || ROW.test(text)) return false;
  return tokensOf(text.replace(LABEL, '')).join(' ') !== tokensOf(title).join(' ');
}
