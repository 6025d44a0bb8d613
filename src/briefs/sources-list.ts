import { briefTexts } from '../texts/brief';
import { reportTexts } from '../texts/report';
import { writingTexts } from '../texts/writing';
import type { BriefCitation } from '../contracts/brief/brief';
import { citationUrl } from '../core/report/citation-url';
import { parsedUrl } from '../core/values/parsed-url';
import { ended } from '../core/writing/ended';
import { inert } from '../core/writing/quotation';

const PLAIN_HOST = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/;

type ListedSource = Pick<BriefCitation, 'n' | 'author' | 'site' | 'title' | 'url' | 'accessedAt'>;

/** Document 000's list of sources. An empty line stands between two, so that no renderer makes one paragraph of them. */
export function sourcesList(citations: readonly ListedSource[]): string {
  if (citations.length === 0) return reportTexts.noSource;
  return citations.map((citation) => sourceLine(citation)).join('\n\n');
}

/** `[1] Author/Site. "Title." URL. Accessed date.` */
function sourceLine({ n, author, site, title, url, accessedAt }: ListedSource): string {
  const host = plainHost(url);
  const whose = author ?? site ?? host ?? briefTexts.unknownAuthor;
  const parts = [
    `[${n}] ${whose === host ? host : inert(whose).replace(/\.$/, '')}.`,
    `"${ended(shownTitle(title, host))}"`,
    url === null ? '' : `${citationUrl(url) ?? inert(url)}.`,
    reportTexts.accessed(writingTexts.date(inert(accessedAt.slice(0, 10)))),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** A title that was made of the address says here what the site does not. */
function shownTitle(title: string, host: string | null): string {
  if (host !== null && title === host) return host;
  const own = host !== null && title.startsWith(`${host}/`) ? title.slice(host.length + 1) : title;
  return inert(own.replaceAll('"', "'"));
}

/**
 * The site of an address of the web, as it may stand without escapes: where a renderer makes a link of it, that leads to where
 * the address does. Null where there is none, or where its name is not made of letters, digits, dots and hyphens.
 */
function plainHost(url: string | null): string | null {
  const { protocol = '', hostname = '' } = parsedUrl(url ?? '') ?? {};
  const host = hostname.replace(/^www\./, '');
  return /^https?:$/.test(protocol) && PLAIN_HOST.test(host) ? host : null;
}
