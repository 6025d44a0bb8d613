import { stripUnsafe } from '../../../core/text/untrusted-text';
import { parsedUrl } from '../../../core/values/parsed-url';

/** Signs of Markdown; brackets stay, as citations are written in them, and lead nowhere. */
const SIGNS = /[\\`*_~|<]|&(?=#?[A-Za-z0-9]+;)|!(?=\[)/g;
const ADDRESS = /(https?:\/\/[^\s<>"]+)/;

/** Words of a page that stand in a paragraph, as Markdown that shows them and does nothing else. */
export function wordsMarkdown(text: string): string {
  return stripUnsafe(text)
    .replace(/\s+/g, ' ')
    .split(ADDRESS)
    .map((piece, at) =>
      at % 2 === 1 ? piece.replace(/[|`]/g, encodeURIComponent) : piece.replace(SIGNS, '\\$&'),
    )
    .join('');
}

/** A link into the web around what is Markdown already; null where the address is of no web. */
export function linkMarkdown(href: string | null): ((said: string) => string) | null {
  const address = parsedUrl(href ?? '');
  if (address === null || !/^https?:$/.test(address.protocol)) return null;
  const url = address.href.replace(/[|`]/g, encodeURIComponent);
  return (said) => {
    const text = said.replace(/\s+/g, ' ').trim();
    const isAddress = text === '' || parsedUrl(text)?.href === address.href;
    return isAddress ? `<${url}>` : `[${balanced(text)}](<${url}>)`;
  };
}

/** A bracket that is left open would end the link elsewhere. */
function balanced(text: string): string {
  let open = 0;
  for (const sign of text.replace(/\\./g, '')) {
    if (sign === '[') open += 1;
    if (sign === ']') open -= 1;
    if (open < 0) break;
  }
  return open === 0 ? text : text.replace(/\\?[[\]]/g, (sign) => `\\${sign.at(-1) ?? ''}`);
}

/** The lines of a paragraph, without white space that a page does not show; none where it says nothing. */
export function plainLines(paragraph: string): string[] {
  const text = paragraph
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .trim();
  return text === '' ? [] : text.split('\n');
}

/** Links that were links on the page have their address in angle brackets. */
const LINK_OF_WORDS = /\]\((?!<)/g;
/** What would make another block of a line. */
const LINE_START = /^(?:[#>+=-]|:(?=-))/;

/** As `plainLines`, with nothing in them that is active. */
export function paragraphLines(paragraph: string): string[] {
  return plainLines(paragraph.replace(LINK_OF_WORDS, ']\\(')).map((line) => line.replace(LINE_START, '\\$&'));
}
