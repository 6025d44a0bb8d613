import { parsedUrl } from '../core/values/parsed-url';
import { isSiteName } from '../core/sources/site-name';
import { stripUnsafe } from '../core/text/untrusted-text';

/** What metadata is for: to name a source in a line. UTF-16 units; few real ones are half as long. */
const MAX_CHARS = {
  title: 500,
  file: 255,
  author: 1_000,
  publishedAt: 60,
  accessedAt: 60,
  license: 200,
} as const;

/** The metadata of a record as it is kept, and what was changed of it, for people. */
export interface HeldMetadata {
  fields: Record<string, unknown>;
  remarks: string[];
}

/**
 * Metadata is one line each, without what nobody sees, and no longer than names and dates are: what is longer is cut at a
 * word. A site that is no name is the host of the address instead, or none.
 */
export function heldMetadata(given: Readonly<Record<string, unknown>>): HeldMetadata {
  const fields = { ...given };
  const remarks: string[] = [];
  for (const [name, maxChars] of Object.entries(MAX_CHARS)) {
    const value = fields[name];
    if (typeof value !== 'string') continue;
    const line = oneLine(value);
    fields[name] = shortened(line, maxChars);
    if (line.length > maxChars)
      remarks.push(`${name} has ${characters(line)}; it is cut to ${maxChars.toLocaleString('en')}`);
  }
  if (typeof fields.site === 'string') {
    const line = oneLine(fields.site);
    const host = typeof fields.url === 'string' ? parsedUrl(fields.url)?.hostname.replace(/^www\./, '') : '';
    const isName = isSiteName(line);
    fields.site = isName ? line : host;
    if (!isName)
      remarks.push(
        `site has ${characters(line)} and reads as a text, not as the name of a site; ${host ? `${host} stands for it` : 'it is left out'}`,
      );
  }
  return { fields: withoutEmpty(fields), remarks };
}

function oneLine(text: string): string {
  return stripUnsafe(text).replace(/\s+/g, ' ').trim();
}

function shortened(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, maxChars - 1);
  const end = cut.lastIndexOf(' ');
  return `${(end > maxChars / 2 ? cut.slice(0, end) : cut).replace(/[\s,;:–-]+$|[\ud800-\udbff]$/, '')}…`;
}

function characters(text: string): string {
  return `${text.length.toLocaleString('en')} characters`;
}

/** Nothing is left of what nobody sees. */
function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  const names = [...Object.keys(MAX_CHARS), 'site'];
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !names.includes(name) || (value ?? '') !== ''),
  );
}
