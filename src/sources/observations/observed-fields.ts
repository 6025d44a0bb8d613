import { PassageOrigin, type PageRange } from '../../contracts/answer/answer-passage';

/** `x.pdf (Page 3)`, `x.pdf (Pages 3-5)`, `x.pdf, p. 3`. */
const PAGES_BEHIND =
  /[\s,]*[([]?\s*\b(?:pages?|pp?)\b\.?\s*(\d{1,6})(?:\s*(?:[‐-―−-]|to)\s*(\d{1,6}))?\s*[)\]]?\s*$/i;
const PAGES_ALONE = /^\s*(?:(?:pages?|pp?)\b\.?\s*)?(\d{1,6})(?:\s*(?:[‐-―−-]|to)\s*(\d{1,6}))?\s*$/i;
const FIGURE = /^\s*(\d+(?:\.\d+)?|\.\d+)\s*(%?)\s*$/;
/** Nothing that these match is longer; they would look for hours at a long line of white space. */
const MOST_CHARS = 80;

export function nameAndPages(value: string): { name: string; pages: PageRange | null } {
  const tailAt = Math.max(0, value.length - MOST_CHARS);
  const match = PAGES_BEHIND.exec(value.slice(tailAt));
  const pages = match === null ? null : rangeOf(match);
  const name = value.slice(0, tailAt + (match?.index ?? 0)).trim();
  return pages === null || name === '' ? { name: value.trim(), pages: null } : { name, pages };
}

/** `3`, `3-5`, `p. 3`; null for what is none. */
export function pagesOf(value: string): PageRange | null {
  const match = value.length > MOST_CHARS ? null : PAGES_ALONE.exec(value);
  return match === null ? null : rangeOf(match);
}

function rangeOf(match: RegExpExecArray): PageRange | null {
  const from = Number(match[1]);
  const to = Number(match[2] ?? from);
  return from < 1 || to < 1 ? null : { from: Math.min(from, to), to: Math.max(from, to) };
}

/** 0–1 of `0.89` or `89 %`; null for what is no such figure. */
export function similarityOf(value: string): number | null {
  const match = value.length > MOST_CHARS ? null : FIGURE.exec(value);
  if (match === null) return null;
  const similarity = Number(match[1]) / (match[2] === '%' ? 100 : 1);
  return similarity <= 1 ? similarity : null;
}

export function originOf(value: string): PassageOrigin {
  return PassageOrigin.catch('text').parse(value.trim().toLowerCase());
}
