import { normaliseUrl } from '../../core/sources/source-url';
import { parsedUrl } from '../../core/values/parsed-url';
import { childElements, parseXml, xmlTextOf } from '../formats/archive/xml-tree';
import { UnfitDocument } from '../formats/parsing/parsed-document';
import { BEFORE_ROOT } from '../formats/tell-format';

/** The addresses of a site's pages, or of the sitemaps that have them. */
export interface Sitemap {
  of: 'pages' | 'sitemaps';
  addresses: string[];
}

/** Those of all pages that one sitemap leads to. */
export const MOST_SITEMAP_PAGES = 5_000;

const HEAD_BYTES = 1_024;
const MOST_BYTES = 16 * 1024 * 1024;
const ROOT = /^<(?:[\w-]+:)?(?:urlset|sitemapindex)[\s>]/;

/** What a sitemap lists, each once, or why it cannot be read; null for anything else. */
export function sitemapIn(bytes: Buffer): Sitemap | string | null {
  const head = bytes.toString('utf8', 0, HEAD_BYTES).replace(/^\ufeff/, '');
  if (!ROOT.test(head.replace(BEFORE_ROOT, ''))) return null;
  if (bytes.length > MOST_BYTES) return 'the sitemap is too large; give a part of it, or a file of links';
  try {
    const [root] = childElements(parseXml(bytes.toString('utf8').replace(/^\ufeff/, '')));
    const of = root?.local === 'urlset' ? 'pages' : 'sitemaps';
    const entries = root === undefined ? [] : childElements(root, of === 'pages' ? 'url' : 'sitemap');
    const addresses = entries.flatMap((entry) =>
      childElements(entry, 'loc').map((loc) => xmlTextOf(loc).trim()),
    );
    return addresses.length === 0 ? 'the sitemap lists nothing' : { of, addresses: [...new Set(addresses)] };
  } catch (error) {
    if (error instanceof UnfitDocument) return error.message;
    throw error;
  }
}

/**
 * A sitemap speaks of its own site alone, by http or https, with `www.` or without: those of its addresses, and why the others are none
 * of its. Without an address of its own the first that it lists tells the site.
 */
export function ofOneSite(
  { addresses }: Sitemap,
  ownAddress: string | null,
): { own: string[]; wrong: string | null } {
  const siteOf = (address: string): string | undefined => parsedUrl(normaliseUrl(address))?.origin;
  const site = siteOf(ownAddress ?? addresses[0] ?? '');
  const own = addresses.filter((address) => siteOf(address) === site);
  const others = addresses.length - own.length;
  const wrong =
    others === 0
      ? null
      : `${others} of the ${addresses.length} addresses of the sitemap lie on another site, and are not read; give those that you mean in a file of links`;
  return { own, wrong };
}
