import type { Report, ReportCitation } from '../contracts/report';
import { writingTexts } from '../contracts/wording';
import { LIST_ITEM } from '../evidence/written-text';
import { bullets, joinBlocks, withFullStop } from '../lib/strings';
import { stripUnsafe, toSafeFragment, toSafeLine } from '../lib/untrusted-text';
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
  const { n, author, title, file, site, publishedAt, url, accessedAt, readInFull, sha256 } = citation;
  const about = [site, publishedAt]
    .filter((part) => part !== undefined)
    .map(toSafeLine)
    .join(', ');
  const parts = [
    author === undefined ? '' : `${toSafeLine(author).replace(/\.$/, '')}.`,
    `“${withFullStop(toSafeFragment(title))}”`,
    about === '' ? '' : `${about}.`,
    file === undefined ? '' : `${fileName(file)}.`,
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

/** As code: renderers take `notes.md` for an address. */
export function fileName(file: string): string {
  return `\`${stripUnsafe(file)
    .replace(/[\s`]+/g, ' ')
    .trim()}\``;
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
