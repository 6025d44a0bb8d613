import { reportTexts } from '../../texts/report';
import { writingTexts } from '../../texts/writing';
import type { Report, ReportCitation } from '../../contracts/report/report';
import { bullets, joinBlocks } from '../writing/markdown-blocks';
import { ended } from '../writing/ended';
import { inert } from '../writing/quotation';
import { sinceMarkdown } from '../writing/since-text';
import { parsedUrl } from '../values/parsed-url';
import { citationUrl } from './citation-url';
import { byWork } from './report-citations';

/** The parts of `report.md` that are not in the report's own fields, or not as a reader has them. */
export interface MarkdownParts {
  /** What the reader has to know first, a sentence each, in Markdown: that the run ended early, lacks a part, or cites little. */
  notices: string[];
  /** What the Executive Summary begins with, in Markdown. */
  opening: string;
  bullets: string[];
  sections: { title: string; markdown: string }[];
  conflictParagraphs: string[];
  gapLines: string[];
  assessment: string[];
  /** Questions to ask next that neither conflicts nor gaps tell already. */
  followUps: readonly string[];
}

export function reportMarkdown(report: Omit<Report, 'markdown'>, parts: MarkdownParts): string {
  const { headings, noGap } = reportTexts;
  const blocks = [
    `# ${inert(report.title)}`,
    [...new Set(parts.notices)].map((notice) => `> ${notice}`).join('\n>\n'),
    ...(report.since === undefined ? [] : [`## ${writingTexts.sinceHeading}`, sinceMarkdown(report.since)]),
    `## ${headings.summary}`,
    summaryChapter(parts),
    ...parts.sections.flatMap(({ title, markdown }) => [`## ${inert(title)}`, markdown]),
    ...when(parts.conflictParagraphs, `## ${headings.conflicts}`),
    `## ${headings.gaps}`,
    parts.gapLines.length === 0 ? noGap : bullets(parts.gapLines),
    `## ${headings.confidence}`,
    ...parts.assessment,
    ...when(parts.followUps.map(inert), `## ${headings.followUps}`),
    `## ${headings.sources}`,
    // What only claims cite that are set aside is named beside the report, as they are.
    citedSources(report.citations.filter(({ timesCited }) => timesCited > 0)),
  ];
  return joinBlocks(blocks);
}

export function summaryChapter(parts: Pick<MarkdownParts, 'opening' | 'bullets'>): string {
  return joinBlocks([parts.opening, bullets(parts.bullets)]).trimEnd();
}

function when(items: readonly string[], heading: string): string[] {
  return items.length === 0 ? [] : [heading, bullets(items)];
}

function citedSources(citations: readonly ReportCitation[]): string {
  if (citations.length === 0) return reportTexts.noSource;
  return byWork(citations)
    .map(({ work, parts }) =>
      work === undefined
        ? parts.map(sourceLine).join('\n')
        : [
            `- ${reportTexts.partsOf(inert(work.title))}`,
            ...parts.map((part) => `  ${sourceLine(part)}`),
          ].join('\n'),
    )
    .join('\n');
}

function sourceLine(citation: ReportCitation): string {
  const { n, author, title, site, publishedAt, url, accessedAt, readInFull } = citation;
  const about = [site, publishedAt]
    .filter((part) => part !== undefined)
    .map(inert)
    .join(', ');
  const parts = [
    author === undefined ? '' : `${inert(author).replace(/\.$/, '')}.`,
    `“${ended(inert(title))}”`,
    about === '' ? '' : `${about}.`,
    url === null ? '' : `${address(url)}.`,
    reportTexts.accessed(writingTexts.date(inert(accessedAt.slice(0, 10)))),
    mark(citation),
    readInFull ? '' : reportTexts.summaryOnly,
    citation.abstractOnly === true ? reportTexts.abstractOnly : '',
    citation.versionOfN === undefined ? '' : reportTexts.versionOf(citation.versionOfN),
    citation.retracted === true ? reportTexts.retracted : '',
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
  const level = quality.level === 'authoritative' ? reportTexts.authoritative : reportTexts.general;
  return `${level} (${inert(reason).replace(/\.$/, '')}).`;
}
