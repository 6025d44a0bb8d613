import { parseFragment } from 'parse5';
import { stripUnsafe } from '../core/text/untrusted-text';
import { isoDate } from '../core/values/iso-date';
import { parsedUrl } from '../core/values/parsed-url';
import type { SearchHit } from './search-provider';
import { bareArxivId, bareDoi, barePmid } from '../core/sources/work-ids';

type Text = string | null | undefined;

/** A result as an index told it, in whatever form; what it does not tell is left out. */
export type FoundWork = {
  [Field in Exclude<keyof SearchHit, 'authors' | 'isRetracted'>]?: Text;
} & { authors?: readonly Text[]; isRetracted?: boolean };

const MOST = { title: 500, text: 10_000, authors: 50, name: 200, address: 2_048 };

/** The result as everybody may have it: visible, bounded, each identifier in its one form. Null where it has neither title nor address. */
export function searchHit(found: FoundWork): SearchHit | null {
  const url = webAddressOf(found.url);
  const title = oneLine(found.title, MOST.title) ?? url;
  if (title === null) return null;
  const { doi, arxivId, pmid } = found;
  return {
    url,
    title,
    text: bounded(stripUnsafe(found.text ?? '').trim(), MOST.text),
    authors: (found.authors ?? [])
      .flatMap((author) => oneLine(author, MOST.name) ?? [])
      .slice(0, MOST.authors),
    published: isoDate(found.published ?? ''),
    venue: oneLine(found.venue, MOST.name),
    doi: first([doi, url], bareDoi),
    arxivId: first([arxivId, doi, url], bareArxivId),
    pmid: first([pmid], barePmid),
    openUrl: webAddressOf(found.openUrl),
    license: oneLine(found.license, MOST.name),
    isRetracted: found.isRetracted ?? false,
  };
}

/** An address that might be fetched; whether it may, the fetcher says. */
function webAddressOf(address: Text): string | null {
  const url = parsedUrl((address ?? '').trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    return null;
  return url.href.length > MOST.address ? null : url.href;
}

function first<Result>(texts: readonly Text[], read: (text: string) => Result | null): Result | null {
  for (const text of texts) {
    const result = read(text ?? '');
    if (result !== null) return result;
  }
  return null;
}

function oneLine(text: Text, most: number): string | null {
  return bounded(
    stripUnsafe(text ?? '')
      .replace(/\s+/g, ' ')
      .trim(),
    most,
  );
}

function bounded(text: string, most: number): string | null {
  if (text === '') return null;
  return text.length > most ? `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

/** The marks that publishers write into titles and abstracts: JATS, MathML, and the few of HTML. */
const BLOCK = /<\/?(?:jats:)?(?:p|title|sec|list|list-item|disp-formula|br)\b[^<>]*>/gi;
const INLINE = /<\/?(?:(?:jats|mml):[a-z-]+|i|b|em|strong|su[bp]|u|scp|tt|span|inline-formula)\b[^<>]*>/gi;

/** Of a text with marks, what a reader sees; `p < 0.05` stays. */
export function withoutMarks(text: Text): string {
  const marked = (text ?? '').replace(BLOCK, ' ').replace(INLINE, '');
  return withoutReferences(marked).replace(/\s+/g, ' ').trim();
}

/** With the characters for which HTML's references stand: `&eacute;`, `&#945;`. */
function withoutReferences(text: string): string {
  const [node] = parseFragment(text.replace(/</g, '&lt;')).childNodes;
  return node !== undefined && 'value' in node ? node.value : '';
}
