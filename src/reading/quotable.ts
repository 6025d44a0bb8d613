import type { SourceWindow } from '../contracts/source/passage';
import { withoutAddresses } from '../core/text/links';
import { tokensOf } from '../language/tokens';
import { sentencesOfPassages, type SourceSentence } from './collection/read-source';
import { looksBroken } from './features/sentence-signs';

/** A heading, a caption or a fragment has fewer words; a sentence of a script without spaces has fewer spaces, not words. */
const LEAST_WORDS = 4;
const LONGEST_CHARS = 900;
/** What is left of a tag, or of a sentence that a name stood before: `id="Par43">In 2002 …`, `[58] concluded that …`. */
const REMNANT = /^(?:[\w-]+="[^"]*"[^<>]{0,40}>|\[\d[\d,\s–-]*\]\s+\p{Ll})/u;
/** What is left of a row, or what a table or a figure is called: `.79 % Taking tea`, `Take tea 3.75`, `Noise (dB)3.75 ± 0.4`, `Table 1Characteristics of …`. */
const ROW =
  /^(?:[.,;:%)\]]|(?:Table|Figure|Fig\.?)\s*\d+[\s.:]*\p{Lu})|^[\p{L} -]{3,40}\([^()]{1,12}\)\s?(?:\d|$)|\p{L}\s\d+[.,]\d+$/u;
/** Words that lost what parted them, of which a table has many: `severityTotal groupMildModerateSevere`; a name or two are written so. */
const MERGED = /(?<!\p{L})(?![eim]\p{Lu})\p{Ll}\p{Lu}\p{Ll}{3,}|\p{Ll}{3,}\p{Lu}\p{Ll}{2,}/gu;
const MOST_MERGED = 2;
/** Whether a text can have merged words: a quick look that saves most texts the slow one. */
const CAPITAL_WITHIN = /\p{Ll}\p{Lu}/u;
/** What stands under a table: `BMI, body mass index; SBP, …`, `Values are means ± SD`. */
const LEGEND =
  /\b\p{Lu}{2,}, [^;,.]{3,40}; \p{Lu}{2,}, |^(?:Data|Values)\b.{0,30}\b(?:means?|medians?|SDs?|SEMs?)\b/u;
/** A line that so many pages of one site have is theirs and not an article's: a notice, a menu, a call to subscribe. */
const PAGES_OF_BOILERPLATE = 3;
const LABEL = /^\p{Lu}[\p{Lu}\s.]*:\s*/u;

/** Whether a sentence, as a reader sees its links, reads as one by itself: no row of a table, no question, no title, no list of marks. */
export function isQuotable(sentence: string, title: string): boolean {
  const text = withoutAddresses(sentence).trim();
  const tokens = tokensOf(text);
  if (tokens.length < LEAST_WORDS || sentence.length > LONGEST_CHARS) return false;
  if (/[?？]["'”’)]*$/.test(text) || looksBroken(text, tokens.length)) return false;
  if (REMNANT.test(text) || ROW.test(text) || LEGEND.test(text)) return false;
  if (CAPITAL_WITHIN.test(text) && new Set(text.match(MERGED)).size > MOST_MERGED) return false;
  return tokensOf(text.replace(LABEL, '')).join(' ') !== tokensOf(title).join(' ');
}

/** For each source its sentences that may be quoted, in their order; without the lines that the pages of its site repeat. */
export function quotableSentences(
  sources: readonly Pick<SourceWindow, 'title' | 'site' | 'passages' | 'nearDuplicateOf'>[],
): SourceSentence[][] {
  const sentences = sources.map(({ title, passages }) =>
    sentencesOfPassages(passages).filter(({ text }) => isQuotable(text, title)),
  );
  const lineOf = (site: string, text: string): string => `${site}\n${text}`;
  const pages = new Map<string, number>();
  sources.forEach(({ site, nearDuplicateOf }, at) => {
    // Copies of one article repeat all of it, and none of that is boilerplate.
    if (site === undefined || nearDuplicateOf !== undefined) return;
    for (const text of new Set(sentences[at]?.map((sentence) => sentence.text))) {
      const line = lineOf(site, text);
      pages.set(line, (pages.get(line) ?? 0) + 1);
    }
  });
  return sources.map(({ site }, at) => {
    const own = sentences[at] ?? [];
    if (site === undefined) return own;
    return own.filter(({ text }) => (pages.get(lineOf(site, text)) ?? 0) < PAGES_OF_BOILERPLATE);
  });
}
