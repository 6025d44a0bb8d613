import type { CitationReport, Report, ReportCitation, ReportClaim } from '../contracts/report';
import type { SynthesisSettings } from '../contracts/run-settings';
import { count, writingTexts } from '../contracts/wording';
import { LIST_ITEM } from '../evidence/written-text';
import { bullets, joinBlocks, withFullStop } from '../lib/strings';
import { toSafeFragment, toSafeLine } from '../lib/untrusted-text';
import { citationUrl, parseUrl } from '../lib/url';
import { sinceMarkdown } from './attribution';
import { byWork } from './citations';
import { reportTexts } from './report-texts';

/** Parts of `report.md` that the report's fields lack, or have in another form. */
export interface MarkdownParts {
  opening: string;
  blocks: string[];
  /** Confidence of all blocks, one line; empty if each has its own. */
  confidence: string;
  /** Why the report is incomplete, a paragraph below the summary; empty if it is complete. */
  incomplete: string;
  sections: { title: string; markdown: string }[];
  conflictParagraphs: string[];
  limits: string;
  gapLines: string[];
  /** Follow-up questions; empty for a whole text, which states its own gaps. */
  followUps: readonly string[];
  check: string;
}

export function reportMarkdown(report: Omit<Report, 'markdown'>, parts: MarkdownParts): string {
  const { headings } = reportTexts;
  const closing = [
    parts.limits,
    ...headedList(parts.gapLines, `### ${headings.gaps}`),
    ...headedList(parts.followUps.map(toSafeLine), `### ${headings.followUps}`),
  ].filter((block) => block !== '');
  const blocks = [
    `# ${toSafeLine(report.title)}`,
    `## ${headings.summary}`,
    summaryChapter(parts),
    parts.confidence,
    parts.incomplete,
    ...(report.since === undefined ? [] : [`## ${writingTexts.sinceHeading}`, sinceMarkdown(report.since)]),
    ...parts.sections.flatMap(({ title, markdown }) => [
      `## ${toSafeLine(title)}`,
      withoutHeading(markdown, title),
    ]),
    ...headedList(parts.conflictParagraphs, `## ${headings.conflicts}`),
    ...(closing.length === 0 ? [] : [`## ${headings.limits}`, ...closing]),
    `## ${headings.sources}`,
    // Sources that only rejected claims cite are listed in the separate file.
    citedSources(report.citations.filter(({ timesCited }) => timesCited > 0)),
    parts.check,
  ];
  return joinBlocks(blocks);
}

/** A section's text may repeat its title as a heading. */
function withoutHeading(markdown: string, title: string): string {
  const [, heading = '', rest = ''] = /^#{1,6} ([^\n]*)\n+([^]*)$/.exec(markdown) ?? [];
  return heading.trim() === title.trim() ? rest : markdown;
}

export function summaryChapter({ opening, blocks }: Pick<MarkdownParts, 'opening' | 'blocks'>): string {
  const isItem = (block: string | undefined): boolean => block !== undefined && LIST_ITEM.test(block);
  const body = blocks.reduce(
    (text, block, at) =>
      at === 0 ? block : `${text}${isItem(block) && isItem(blocks[at - 1]) ? '\n' : '\n\n'}${block}`,
    '',
  );
  return joinBlocks([opening, body]).trimEnd();
}

function headedList(items: readonly string[], heading: string): string[] {
  return items.length === 0 ? [] : [heading, bullets(items)];
}

function citedSources(citations: readonly ReportCitation[]): string {
  if (citations.length === 0) return reportTexts.noSource;
  return byWork(citations)
    .map(({ work, parts }) =>
      work === undefined
        ? parts.map(sourceLine).join('\n')
        : [
            `- ${reportTexts.partsOf(isName(work.title) ? toSafeFragment(work.title) : '')}`,
            ...parts.map((part) => `  ${sourceLine(part)}`),
          ].join('\n'),
    )
    .join('\n');
}

/** False for the prefix of ids, such as `report-7`, which replaces a missing title of a work. */
function isName(title: string): boolean {
  return /\s/.test(title);
}

function sourceLine(citation: ReportCitation): string {
  const { n, author, title, site, publishedAt, url, accessedAt, readInFull, sha256 } = citation;
  const about = [site, publishedAt]
    .filter((part) => part !== undefined)
    .map(toSafeLine)
    .join(', ');
  const parts = [
    author === undefined ? '' : `${toSafeLine(author).replace(/\.$/, '')}.`,
    `“${withFullStop(toSafeFragment(title))}”`,
    about === '' ? '' : `${about}.`,
    url === null ? '' : `${address(url)}.`,
    url === null || sha256 === undefined
      ? ''
      : reportTexts.accessed(writingTexts.date(toSafeLine(accessedAt.slice(0, 10)))),
    authority(citation),
    readInFull ? '' : reportTexts.summaryOnly,
    citation.abstractOnly === true ? reportTexts.abstractOnly : '',
    citation.versionOfN === undefined ? '' : reportTexts.versionOf(citation.versionOfN),
    citation.retracted === true ? reportTexts.retracted : '',
  ];
  return `- [${n}] ${parts.filter((part) => part !== '').join(' ')}`;
}

/** The same form as in the text; only web addresses are links. */
function address(url: string): string {
  const known = citationUrl(url);
  return known === null ? toSafeLine(url) : `<${known}>`;
}

/** `Authoritative (a peer-reviewed journal archive).`; empty for a general source. Drops the host of the reason. */
function authority({ quality, url }: ReportCitation): string {
  if (quality.level !== 'authoritative') return '';
  const host = parseUrl(url ?? '')?.hostname.replace(/^www\.|\.$/g, '') ?? '';
  const reason = quality.reason.startsWith(`${host}: `)
    ? quality.reason.slice(host.length + 2)
    : quality.reason;
  return `${reportTexts.authoritative} (${toSafeLine(reason).replace(/\.$/, '')}).`;
}

export interface CitedSection {
  id: string;
  title: string;
  citations: number[];
  sourceIds: string[];
}

export interface CitedMaterial {
  citations: readonly ReportCitation[];
  sections: readonly CitedSection[];
  majorClaims: readonly ReportClaim[];
  /** Both count the parts of one work once. */
  sourcesGiven: number;
  sourcesBearing: number;
  /** Id under which a source counts; equal for all parts of one work. Absent if each counts for itself. */
  rootOf?: (sourceId: string) => string;
}

const MAX_MOST_CITED = 10;
const SECTIONS_TO_CITE_FROM = 3;

/** Document 002's citation validator, in its words. The minimum stays with too few sources, and does not cause a rewrite. */
export function citationReport(
  { citations, sections, majorClaims, sourcesGiven, sourcesBearing, rootOf = (id) => id }: CitedMaterial,
  synthesis: SynthesisSettings,
): CitationReport {
  const counted = (ids: readonly string[]): number => new Set(ids.map(rootOf)).size;
  const idOf = new Map(citations.map(({ n, sourceId }) => [n, sourceId]));
  const countedNumbers = (numbers: readonly number[]): number =>
    counted(numbers.map((n) => idOf.get(n) ?? `${n}`));
  const unique = counted(citations.map(({ sourceId }) => sourceId));
  const { minTotalCitations: wanted } = synthesis;
  const bySection = sections.map((section) => ({
    ...section,
    cited: countedNumbers(section.citations),
    wanted: minSectionCitations(counted(section.sourceIds), synthesis),
  }));
  const low = bySection.filter((section) => section.cited < section.wanted);
  return {
    uniqueCitations: unique,
    usages: citations.reduce((sum, citation) => sum + citation.timesCited, 0),
    coverage: sourcesGiven === 0 ? 0 : unique / sourcesGiven,
    bySection: bySection.map(({ id, title, cited }) => ({ sectionId: id, title, uniqueCitations: cited })),
    lowCitationSections: low.map((section) => section.id),
    mostCited: [...citations]
      .sort((a, b) => b.timesCited - a.timesCited || a.n - b.n)
      .slice(0, MAX_MOST_CITED)
      .map(({ n, sourceId, title, timesCited }) => ({ n, sourceId, title, timesCited })),
    meetsMinimum: unique >= wanted,
    weakMajorClaims: majorClaims
      .map((claim) => ({ claimId: claim.id, citations: countedNumbers(claim.citations) }))
      .filter((claim) => claim.citations < minClaimCitations(sourcesBearing, synthesis)),
    recommendations: [
      // Where nothing bears on the question there is nothing to add.
      ...(unique < wanted && sourcesBearing > 0
        ? [
            `Add ${count(wanted - unique, 'more citation')} to meet minimum of ${wanted}`,
            ...uncitedSections(sections, citations),
          ]
        : []),
      ...low.map(
        ({ title, cited, wanted: least }) =>
          `Section "${title}" has only ${count(cited, 'citation')}, needs ${least - cited} more`,
      ),
    ],
  };
}

/** Notice of a report with fewer sources than the minimum; null if none is relevant, which the report states anyway. */
export function citationNotice(
  {
    citations,
    sourcesGiven,
    sourcesBearing,
    rootOf = (id) => id,
  }: Pick<CitedMaterial, 'citations' | 'sourcesGiven' | 'sourcesBearing' | 'rootOf'>,
  { minTotalCitations: wanted }: SynthesisSettings,
): string | null {
  const cited = new Set(citations.map(({ sourceId }) => rootOf(sourceId))).size;
  if (cited >= wanted || sourcesBearing === 0) return null;
  const most = Math.max(sourcesBearing, cited);
  return reportTexts.citesFew({ cited, most, wanted, isOfBearing: most < sourcesGiven });
}

/** Document 002: "minimum 3 citations per major claim". */
function minClaimCitations(sourcesBearing: number, { minCitationsPerSection }: SynthesisSettings): number {
  return Math.min(minCitationsPerSection, sourcesBearing);
}

/** At least 1: a section always has to cite. */
function minSectionCitations(sources: number, { minCitationsPerSection }: SynthesisSettings): number {
  return Math.max(1, Math.min(minCitationsPerSection, sources));
}

function uncitedSections(sections: readonly CitedSection[], citations: readonly ReportCitation[]): string[] {
  const cited = new Set(citations.map(({ sourceId }) => sourceId));
  return sections
    .map(({ title, sourceIds }) => ({
      title,
      all: sourceIds.length,
      open: sourceIds.filter((id) => !cited.has(id)).length,
    }))
    .filter(({ open }) => open > 0)
    .sort((a, b) => b.open - a.open)
    .slice(0, SECTIONS_TO_CITE_FROM)
    .map(({ title, all, open }) => `Cite from the section "${title}": ${uncitedText(open, all)}.`);
}

function uncitedText(open: number, all: number): string {
  if (all === 1) return 'its one source is not cited yet';
  if (open === all) return `none of its ${all} sources is cited yet`;
  return `${open} of its ${all} sources ${open === 1 ? 'is' : 'are'} not cited yet`;
}
