import type { Page } from '../../../contracts/source/source';
import { stripUnsafe } from '../../../core/text/untrusted-text';

/** Between two pages. */
const BETWEEN = '\n\n';
/** Letters that are set as one sign. */
const LIGATURES = /[\ufb00-\ufb06]/g;
const BROKEN_WORD = /(\p{L}+)[-‐\u00ad]\n(\p{Ll}+)/gu;
const WORD = /\p{L}+/gu;

/** One text of all pages, and where in it each of them lies; a page without text is an empty place. */
export function joinPages(texts: readonly string[]): { content: string; pages: Page[] } {
  const visible = texts.map((text) =>
    stripUnsafe(text.replace(/\u00ad(?!\n)/g, ''))
      .replace(LIGATURES, apart)
      .trim(),
  );
  const known = new Set(visible.flatMap((text) => text.match(WORD) ?? []));
  const pages: Page[] = [];
  let content = '';
  for (const [at, text] of visible.entries()) {
    const whole = text.replace(BROKEN_WORD, (_broken, before: string, behind: string) =>
      joinedWord(before, behind, known),
    );
    if (whole !== '' && content !== '') content += BETWEEN;
    const start = content.length;
    content += whole;
    pages.push({ number: at + 1, start, end: content.length });
  }
  return { content, pages };
}

function apart(ligature: string): string {
  return ligature.normalize('NFKC');
}

/** A word that was broken at the end of a line; both its parts stand alone where its hyphen is one of its own. */
function joinedWord(before: string, behind: string, known: ReadonlySet<string>): string {
  const isOwn = !known.has(before + behind) && known.has(before) && known.has(behind) && behind.length > 3;
  return isOwn ? `${before}-${behind}` : `${before}${behind}`;
}
