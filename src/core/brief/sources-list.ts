import type { BriefCitation } from '../../contracts/brief/brief';
import { citationUrl } from '../report/citation-url';
import { parsedUrl } from '../values/parsed-url';
import { inert } from '../writing/quotation';

const NOBODY = 'Unknown author';

/** Document 000's list of sources. An empty line stands between two, so that no renderer makes one paragraph of them. */
export function sourcesList(citations: readonly BriefCitation[]): string {
  return citations.length === 0 ? 'No source is cited.' : citations.map(sourceLine).join('\n\n');
}

/** `[1] Author/Site. "Title." URL. Accessed date.` */
function sourceLine({ n, author, site, title, url, accessedAt }: BriefCitation): string {
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
