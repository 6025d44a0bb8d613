import type { Page } from '../../../contracts/source/source';
import { stripUnsafe } from '../../../core/text/untrusted-text';
import type { ParsedDocument } from './parsed-document';
import { withoutRunningHeads } from './running-heads';

const BETWEEN = '\n\n';
const LIGATURES = /[\ufb00-\ufb06]/g;
/** Numbers of notes behind a word or its full stop; an exponent stands behind a number, a unit or a bracket. */
const RAISED_NUMBERS = /(?<=\p{L}{4}|[.,;:])[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?:[,–-]\s?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)*/gu;
const BROKEN_WORD = /(\p{L}+)[-‐\u00ad]\n(\p{Ll}+)/gu;
const WORD = /\p{L}+/gu;

/**
 * One text of all parts as people read it, and where in it each of them lies; a page without text is an empty place. All that is done
 * to a text is done here, for every format, before anything is quoted: quotes match what is stored, at their offsets.
 */
export function joinParts({ parts, isPaged = false, isSet = false }: ParsedDocument): {
  content: string;
  pages: Page[];
} {
  const visible = parts.map(({ text }) =>
    stripUnsafe(text.replace(/\u00ad(?!\n)/g, ''))
      .replace(LIGATURES, apart)
      .replace(RAISED_NUMBERS, '')
      .trim(),
  );
  const texts = isSet ? wholeWords(withoutRunningHeads(visible)) : visible;
  const pages: Page[] = [];
  let content = '';
  for (const [at, text] of texts.entries()) {
    if (text !== '' && content !== '') content += BETWEEN;
    const start = content.length;
    content += text;
    const name = nameOf(parts[at]?.name);
    if (isPaged || name !== null)
      pages.push({ number: at + 1, start, end: content.length, ...(name === null ? {} : { name }) });
  }
  return { content, pages };
}

const LONGEST_NAME = 120;

function nameOf(name = ''): string | null {
  const line = stripUnsafe(name).replace(/\s+/g, ' ').trim();
  return (line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME - 1)}…` : line) || null;
}

function apart(ligature: string): string {
  return ligature.normalize('NFKC');
}

function wholeWords(texts: readonly string[]): string[] {
  const known = new Set(texts.flatMap((text) => text.match(WORD) ?? []));
  return texts.map((text) =>
    text.replace(BROKEN_WORD, (_broken, before: string, behind: string) => joinedWord(before, behind, known)),
  );
}

/** Both parts of a broken word stand alone where its hyphen is one of its own. */
function joinedWord(before: string, behind: string, known: ReadonlySet<string>): string {
  const isOwn = !known.has(before + behind) && known.has(before) && known.has(behind) && behind.length > 3;
  return isOwn ? `${before}-${behind}` : `${before}${behind}`;
}
