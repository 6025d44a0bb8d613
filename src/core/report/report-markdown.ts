import { reportTexts } from '../../texts/report';
import { writingTexts } from '../../texts/writing';
import type { Report, ReportCitation } from '../../contracts/report/report';
import { bullets, joinBlocks } from '../writing/markdown-blocks';
import { ended } from '../writing/ended';
import { inert, inertWithin } from '../writing/quotation';
import { sinceMarkdown } from '../writing/since-text';
import { ITEM } from '../written-text/read-text';
import { parsedUrl } from '../values/parsed-url';
import { citationUrl } from './citation-url';
import { byWork } from './report-citations';

/** The parts of `report.md` that are not in the report's own fields, or not as a reader has them. */
export interface MarkdownParts {
  /** What the Executive Summary begins with, in Markdown. */
  opening: string;
  /** The rest of it: items, paragraphs and tables. */
  blocks: string[];
  /** How sure all of them are, a line below them; empty where each tells its own. */
  confidence: string;
  /** Why the report is incomplete, a paragraph below the summary; empty where it is not. */
  incomplete: string;
  sections: { title: string; markdown: string }[];
  conflictParagraphs: string[];
  /** What a reader has to know of the run besides, a paragraph; may be empty. */
  limits: string;
  gapLines: string[];
  /** Questions to ask next; a whole text closes with its own gaps instead, and the page lists them. */
  followUps: readonly string[];
  /** The last line. */
  check: string;
}

export function reportMarkdown(report: Omit<Report, 'markdown'>, parts: MarkdownParts): string {
  const { headings } = reportTexts;
  const closing = [
    parts.limits,
    ...when(parts.gapLines, `### ${headings.gaps}`),
    ...when(parts.followUps.map(inert), `### ${headings.followUps}`),
  ].filter((block) => block !== '');
  const blocks = [
    `# ${inert(report.title)}`,
    `## ${headings.summary}`,
    summaryChapter(parts),
    parts.confidence,
    parts.incomplete,
    ...(report.since === undefined ? [] : [`## ${writingTexts.sinceHeading}`, sinceMarkdown(report.since)]),
    ...parts.sections.flatMap(({ title, markdown }) => [
      `## ${inert(title)}`,
      withoutHeading(markdown, title),
    ]),
    ...when(parts.conflictParagraphs, `## ${headings.conflicts}`),
    ...(closing.length === 0 ? [] : [`## ${headings.limits}`, ...closing]),
    `## ${headings.sources}`,
    // What only claims cite that are set aside is named beside the report, as they are.
    citedSources(report.citations.filter(({ timesCited }) => timesCited > 0)),
    parts.check,
  ];
  return joinBlocks(blocks);
}

/** A section may begin with its own title once more. */
function withoutHeading(markdown: string, title: string): string {
  const [, heading = '', rest = ''] = /^#{1,6} ([^\n]*)\n+([^]*)$/.exec(markdown) ?? [];
  return heading.trim() === title.trim() ? rest : markdown;
}

export function summaryChapter({ opening, blocks }: Pick<MarkdownParts, 'opening' | 'blocks'>): string {
  const isItem = (block: string | undefined): boolean => block !== undefined && ITEM.test(block);
  const body = blocks.reduce(
    (text, block, at) =>
      at === 0 ? block : `${text}${isItem(block) && isItem(blocks[at - 1]) ? '\n' : '\n\n'}${block}`,
    '',
  );
  return joinBlocks([opening, body]).trimEnd();
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
            `- ${reportTexts.partsOf(isName(work.title) ? inertWithin(work.title) : '')}`,
            ...parts.map((part) => `  ${sourceLine(part)}`),
          ].join('\n'),
    )
    .join('\n');
}

/** False for the beginning of ids, such as `report-7`, which stands for the title of a work that tells none. */
function isName(title: string): boolean {
  return /\s/.test(title);
}

function sourceLine(citation: ReportCitation): string {
  const { n, author, title, site, publishedAt, url, accessedAt, readInFull, sha256 } = citation;
  const about = [site, publishedAt]
    .filter((part) => part !== undefined)
    .map(inert)
    .join(', ');
  const parts = [
    author === undefined ? '' : `${inert(author).replace(/\.$/, '')}.`,
    `“${ended(inertWithin(title))}”`,
    about === '' ? '' : `${about}.`,
    url === null ? '' : `${address(url)}.`,
    url === null || sha256 === undefined
      ? ''
      : reportTexts.accessed(writingTexts.date(inert(accessedAt.slice(0, 10)))),
    authority(citation),
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

/** `Authoritative (a peer-reviewed journal archive).`; empty for a general source. The address says whose host it is. */
function authority({ quality, url }: ReportCitation): string {
  if (quality.level !== 'authoritative') return '';
  const host = parsedUrl(url ?? '')?.hostname.replace(/^www\.|\.$/g, '') ?? '';
  const reason = quality.reason.startsWith(`${host}: `)
    ? quality.reason.slice(host.length + 2)
    : quality.reason;
  return `${reportTexts.authoritative} (${inert(reason).replace(/\.$/, '')}).`;
}
