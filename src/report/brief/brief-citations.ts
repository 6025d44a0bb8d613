import type { BriefCitation, BriefMaterial, BriefSetAside, BriefSource } from '../../contracts/brief';
import { writingTexts } from '../../contracts/wording';
import { citationMark } from '../../lib/citation-marks';
import { withFullStop } from '../../lib/strings';
import { toSafeLine } from '../../lib/untrusted-text';
import { citationUrl, parseUrl } from '../../lib/url';
import { briefTexts } from '../answer-texts';
import {
  type CitationNumbers,
  citationUses,
  numberCitations,
  type NumberedRejectedClaim,
  numberRejectedClaims,
  numbersOf,
  originalFacts,
  rejectedClaimSources,
} from '../citations';
import { fileName } from '../report-markdown';
import { reportTexts } from '../report-texts';
import type { WrittenPart } from './brief-parts';

export interface BriefCitations {
  numbers: CitationNumbers;
  /** All sources of the index; cited ones have the first numbers. */
  all: BriefCitation[];
  listed: BriefCitation[];
}

/** Numbers sources in order of first use in the texts, then in rejected claims. Unused sources follow in the order of the index. */
export function briefCitations(
  texts: readonly string[],
  asideIds: readonly string[],
  sources: readonly BriefSource[],
): BriefCitations {
  const byId = new Map(sources.map((source) => [source.id, source]));
  const inTexts = numberCitations(texts, byId);
  const named = numberCitations([...texts, ...asideIds.map((id) => citationMark([id]))], byId);
  const rest = sources.filter(({ id }) => !named.has(id)).map(({ id }) => id);
  const numbers = new Map([...named, ...rest.map((id, at) => [id, named.size + at + 1] as const)]);
  const uses = citationUses(texts);
  const all = [...numbers].flatMap(([sourceId, n]): BriefCitation[] => {
    const source = byId.get(sourceId);
    if (source === undefined) return [];
    const { url, title, file, author, site, publishedAt, accessedAt, quality, contentRef } = source;
    return [
      {
        n,
        sourceId,
        url,
        title,
        ...(file === undefined ? {} : { file }),
        author,
        site,
        publishedAt,
        accessedAt,
        ...originalFacts(source),
        quality: { ...quality, reason: quality.reason },
        timesCited: uses.get(sourceId) ?? 0,
        inFull: contentRef !== null,
      },
    ];
  });
  return { numbers, all, listed: all.slice(0, inTexts.size) };
}

export interface RejectedBriefClaims {
  /** Sources of the listed claims and of the summaries' rejected statements. */
  sourceIds: string[];
  listed: NumberedRejectedClaim[];
  all: (numbers: CitationNumbers) => BriefSetAside[];
  ofText: NumberedRejectedClaim[];
}

/** Rejected claims of the text, then rejected statements of the summaries; only the former can be removed from the list. */
export function rejectedBriefClaims(
  written: readonly WrittenPart[],
  material: BriefMaterial | null,
  { isListed }: { isListed: boolean },
): RejectedBriefClaims {
  const inText = written.map(({ id, draft }) => ({
    sectionId: id,
    setAside: draft.checked?.setAside ?? [],
  }));
  const inSummaries = (material?.setAside ?? []).map(({ subtopicId, ...claim }) => ({
    sectionId: subtopicId,
    setAside: [claim],
  }));
  const numbered = numberRejectedClaims([...inText, ...inSummaries]);
  const textCount = inText.reduce((sum, { setAside }) => sum + setAside.length, 0);
  const ofText = numbered.slice(0, textCount);
  const ofSummaries = numbered.slice(textCount);
  const listed = isListed ? ofText : [];
  return {
    sourceIds: rejectedClaimSources([...listed, ...ofSummaries]),
    listed,
    ofText,
    all: (numbers) => [
      ...ofText.map((claim) => briefSetAside(claim, 'text', numbers)),
      ...ofSummaries.map((claim) => briefSetAside(claim, 'summary', numbers)),
    ],
  };
}

function briefSetAside(
  { sectionId, ...claim }: NumberedRejectedClaim,
  from: BriefSetAside['from'],
  numbers: CitationNumbers,
): BriefSetAside {
  return { ...claim, partId: sectionId, from, citations: numbersOf(claim.sourceIds, numbers) };
}

const PLAIN_HOST = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/;

type ListedSource = Pick<BriefCitation, 'n' | 'author' | 'site' | 'title' | 'file' | 'url' | 'accessedAt'>;

/** Document 000's source list. Empty lines keep renderers from joining two sources in one paragraph. */
export function sourcesList(citations: readonly ListedSource[]): string {
  if (citations.length === 0) return reportTexts.noSource;
  return citations.map((citation) => sourceLine(citation)).join('\n\n');
}

/** `[1] Author/Site. "Title." URL. Accessed date.` */
function sourceLine({ n, author, site, title, file, url, accessedAt }: ListedSource): string {
  const host = plainHost(url);
  const whose = author ?? site ?? host ?? briefTexts.unknownAuthor;
  const parts = [
    `[${n}] ${whose === host ? host : toSafeLine(whose).replace(/\.$/, '')}.`,
    `"${withFullStop(displayTitle(title, host))}"`,
    file === undefined ? '' : `${fileName(file)}.`,
    url === null ? '' : `${citationUrl(url) ?? toSafeLine(url)}.`,
    reportTexts.accessed(writingTexts.date(toSafeLine(accessedAt.slice(0, 10)))),
  ];
  return parts.filter((part) => part !== '').join(' ');
}

/** Removes the host from a title that was made of the address. */
function displayTitle(title: string, host: string | null): string {
  if (host !== null && title === host) return host;
  const own = host !== null && title.startsWith(`${host}/`) ? title.slice(host.length + 1) : title;
  return toSafeLine(own.replaceAll('"', "'"));
}

/** Host of a web address; null if it needs escapes: an autolink made of it has to lead to the address. */
function plainHost(url: string | null): string | null {
  const { protocol = '', hostname = '' } = parseUrl(url ?? '') ?? {};
  const host = hostname.replace(/^www\./, '');
  return /^https?:$/.test(protocol) && PLAIN_HOST.test(host) ? host : null;
}
