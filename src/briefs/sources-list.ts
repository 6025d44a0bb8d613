import type { BriefCitation } from '../contracts/brief/brief';
import { citationUrl } from '../core/report/citation-url';
import { parsedUrl } from '../core/values/parsed-url';
import { inert } from '../core/writing/quotation';

const NOBODY = 'Unknown author';

/** What a line of the list tells. */
type ListedSource = Pick<BriefCitation, 'n' | 'author' | 'site' | 'title' | 'url' | 'accessedAt'>;

/** Document 000's list of sources. An empty line stands between two, so that no renderer makes one paragraph of them. */
export function sourcesList(citations: readonly ListedSource[]): string {
  return citations.length === 0 ? 'No source is cited.' : citations.map(sourceLine).join('\n\n');
}

/** `[1] Author/Site. "Title." URL. Accessed date.` */
function sourceLine({ n, author, site, title, url, accessedAt }: ListedSource): string {
  const whose = author ?? site ?? (parsedUrl(url ?? '')?.hostname.replace(/^www\./, '') || NOBODY);
  const parts = [
    `[${n}] ${inert(whose).replace(/\.$/, '')}.`,
    `"${ended(inert(title.replaceAll('"', "'")))}"`,
    url === null ? '' : `${citationUrl(url) ?? inert(url)}.`,
    `Accessed ${inert(accessedAt.slice(0, 10))}.`,
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** With a full stop, unless it asks or exclaims. */
function ended(title: string): string {
  return /[.?!…]$/.test(title) ? title : `${title}.`;
}
