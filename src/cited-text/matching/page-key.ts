import { normaliseUrl } from '../../core/sources/source-url';

const START_PAGE = /\/(?:index|default)\.(?:html?|php|aspx?)(?=$|\?)/i;
const FRAGMENT = /#.*$/;
const HAS_PATH = /^https:\/\/[^/?#]+\/[^/?#]/;

/** One form for all addresses of a page, also where it is a folder's start page or a place within it. */
export function pageKey(url: string): string {
  const key = normaliseUrl(/^www\./i.test(url) ? `https://${url}` : url);
  return key.replace(START_PAGE, '').replace(FRAGMENT, '').replace(/\/$/, '');
}

/** Whether one is the start of the other up to the end of a part of its path; a site alone is the start of no page. */
export function isStartOf(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short === long || !HAS_PATH.test(short)) return false;
  return long.startsWith(short) && '/?&'.includes(long.charAt(short.length));
}
