import { createHash } from 'node:crypto';
import type { DocumentTree } from '../document';
import { provenanceOf, type Reference, referencesOf } from './reference';

/**
 * The sources for LaTeX. The libraries that write BibTeX bring a parser, a network client and tables of every letter along;
 * what is needed is to escape eleven characters, as letters stand in UTF-8.
 */
export function renderBibtex(tree: DocumentTree): string {
  const references = referencesOf(tree);
  const keys = keysOf(references.map(({ sourceId }) => sourceId));
  // A comment is skipped to its closing brace, by the older programs to the next at sign.
  const comment = provenanceOf(tree).replace(/[{}@\\]/g, ' ');
  const entries = references.map((reference, at) => entryOf(keys[at] ?? '', reference));
  return [`@comment{Sources of ${comment}}\n`, ...entries].join('\n');
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function entryOf(key: string, reference: Reference): string {
  const { kind, url } = reference;
  const fields: (readonly [name: string, value: string | null])[] = [
    // Braced twice, so that no style takes its capitals away.
    ['title', `{${braced(reference.title)}}`],
    ['author', authorsIn(reference)],
    [kind === 'article' ? 'journal' : 'organization', reference.site && braced(reference.site)],
    ['year', reference.year && braced(reference.year)],
    ['month', reference.month && (MONTHS[Number(reference.month) - 1] ?? null)],
    ['doi', reference.doi && bracedAddress(reference.doi)],
    ['url', url && bracedAddress(url)],
    ['urldate', url && reference.accessed && braced(reference.accessed)],
    ['note', braced(reference.note)],
  ];
  const lines = fields.flatMap(([name, value]) => (value === null ? [] : [`  ${name} = ${value},\n`]));
  return `@${kind === 'article' ? 'article' : 'misc'}{${key},\n${lines.join('')}}\n`;
}

/** Both names stand in braces: neither particles nor whole organisations, neither commas nor an “and” are read as anything else. */
function authorsIn({ authors, hasOthers }: Reference): string | null {
  if (authors.length === 0) return null;
  const names = authors.map(({ family, given }) =>
    given === '' ? braced(family) : `${braced(family)}, ${braced(given)}`,
  );
  return `{${[...names, ...(hasOthers ? ['others'] : [])].join(' and ')}}`;
}

/** Braces count for BibTeX behind a backslash too, so they are written by name. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\textbraceleft{}',
  '}': '\\textbraceright{}',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
};

function escaped(text: string): string {
  return text.replace(/[\\{}^~$&#_%]/g, (sign) => ESCAPES[sign] ?? `\\${sign}`);
}

function braced(text: string): string {
  return `{${escaped(text)}}`;
}

/** Addresses are taken as they stand; what would end one is encoded. */
function bracedAddress(address: string): string {
  return `{${address.replace(/[\\{}]/g, (sign) => encodeURIComponent(sign))}}`;
}

const HASH_CHARS = 8;

/** The ids of the sources as far as keys may have their characters; those that differ no more, in capitals either, by a hash. */
function keysOf(ids: readonly string[]): string[] {
  const plain = ids.map((id) => id.replace(/[^A-Za-z0-9:._/+-]+/g, '-'));
  const count = new Map<string, number>();
  for (const key of plain) count.set(key.toLowerCase(), (count.get(key.toLowerCase()) ?? 0) + 1);
  return plain.map((key, at) => {
    if (count.get(key.toLowerCase()) === 1) return key;
    const hash = createHash('sha256')
      .update(ids[at] ?? '')
      .digest('hex');
    return `${key}-${hash.slice(0, HASH_CHARS)}`;
  });
}
