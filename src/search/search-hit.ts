import { stripUnsafe } from '../core/text/untrusted-text';
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
    published: isoDate(found.published),
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

const ISO_DATE = /^(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?(?=$|[T ])/;

/** As exact as it is told; of another form that programs read, the day in UTC. */
function isoDate(date: Text): string | null {
  const text = (date ?? '').trim();
  const iso = ISO_DATE.exec(text)?.[0];
  if (iso !== undefined) return iso;
  const time = /\b\d{4}\b/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}

/** The marks that publishers write into titles and abstracts: JATS, MathML, and the few of HTML. */
const BLOCK = /<\/?(?:jats:)?(?:p|title|sec|list|list-item|disp-formula|br)\b[^<>]*>/gi;
const INLINE = /<\/?(?:(?:jats|mml):[a-z-]+|i|b|em|strong|su[bp]|u|scp|tt|span|inline-formula)\b[^<>]*>/gi;
const REFERENCE = /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** Of a text with marks, what a reader sees; `p < 0.05` stays. */
export function withoutMarks(text: Text): string {
  return (text ?? '')
    .replace(BLOCK, ' ')
    .replace(INLINE, '')
    .replace(REFERENCE, (whole, name?: string, decimal?: string, hexadecimal?: string) => {
      if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    })
    .replace(/\s+/g, ' ')
    .trim();
}
