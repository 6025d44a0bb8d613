import type { ReportCitation } from '../../contracts/report/report';
import { parsedUrl } from '../values/parsed-url';
import { inert } from '../writing/quotation';
import { citationUrl } from './citation-url';

/** The list of sources: each with its number, its address, its mark and what the mark rests on. */
export function citedSources(citations: readonly ReportCitation[]): string {
  return citations.length === 0 ? 'No source is cited.' : citations.map(sourceLine).join('\n');
}

function sourceLine(citation: ReportCitation): string {
  const { n, author, title, site, publishedAt, url, accessedAt, readInFull } = citation;
  const about = [site, publishedAt]
    .filter((part) => part !== undefined)
    .map(inert)
    .join(', ');
  const parts = [
    author === undefined ? '' : `${inert(author).replace(/\.$/, '')}.`,
    `“${inert(title).replace(/\.$/, '')}.”`,
    about === '' ? '' : `${about}.`,
    url === null ? '' : `${address(url)}.`,
    `Accessed ${inert(accessedAt.slice(0, 10))}.`,
    mark(citation),
    readInFull ? '' : 'Read by its summary only.',
  ];
  return `- [${n}] ${parts.filter((part) => part !== '').join(' ')}`;
}

/** In the same form as in the text; only an address of the web is a link. */
function address(url: string): string {
  const known = citationUrl(url);
  return known === null ? inert(url) : `<${known}>`;
}

/** `Authoritative (a peer-reviewed journal archive).` The address says whose host it is. */
function mark({ quality, url }: ReportCitation): string {
  const host = parsedUrl(url ?? '')?.hostname.replace(/^www\.|\.$/g, '') ?? '';
  const reason = quality.reason.startsWith(`${host}: `)
    ? quality.reason.slice(host.length + 2)
    : quality.reason;
  const level = quality.level === 'authoritative' ? 'Authoritative' : 'General';
  return `${level} (${inert(reason).replace(/\.$/, '')}).`;
}
