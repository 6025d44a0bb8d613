import { confidenceWord } from '../confidence';
import type { Finding } from '../contracts/finding';
import type { Report, ReportCitation } from '../contracts/report';
import { inert, quotedIfVerbatim } from '../writing/quotation';
import { shorten } from '../writing/shorten';

const ASSESSED_FINDINGS = 12;
const ASSESSMENT_WORDS = 30;

/** A finding with the numbers of the sources that the report cites for it. */
export interface AssessedFinding {
  finding: Finding;
  citations: ReportCitation[];
}

/** The parts of `report.md` that are not already in the report's own fields. */
export interface MarkdownParts {
  /** One line for the reader where the run ended early or lacks a part; null otherwise. */
  notice: string | null;
  bullets: string[];
  conflictParagraphs: string[];
  gapLines: string[];
  assessed: AssessedFinding[];
}

/** `report.md`: the report as a person reads it. */
export function reportMarkdown(report: Omit<Report, 'markdown'>, parts: MarkdownParts): string {
  const blocks = [
    `# ${inert(report.title)}`,
    parts.notice === null ? '' : `> ${inert(parts.notice)}`,
    '## Executive Summary',
    inert(report.overallTheme),
    list(parts.bullets),
    ...report.sections.flatMap((section) => [`## ${inert(section.title)}`, section.markdown]),
    ...when(parts.conflictParagraphs, '## Conflicting Evidence'),
    '## Information Gaps',
    parts.gapLines.length === 0 ? 'None was found.' : list(parts.gapLines),
    '## Confidence Assessment',
    parts.assessed.length === 0 ? 'There is no finding to assess.' : list(parts.assessed.map(assessment)),
    ...when(report.followUpQuestions.map(inert), '## Follow-up Questions'),
    '## Sources',
    ...sourceList(report.citations),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function when(items: readonly string[], heading: string): string[] {
  return items.length === 0 ? [] : [heading, list(items)];
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/**
 * The findings that matter most to how far the report can be relied on: each section's best before any section's second,
 * those that several sources share first; shown from the most certain to the least.
 */
export function findingsToAssess(assessed: readonly AssessedFinding[]): AssessedFinding[] {
  const bySection = new Map<string, AssessedFinding[]>();
  for (const entry of assessed) {
    bySection.set(entry.finding.sectionId, [...(bySection.get(entry.finding.sectionId) ?? []), entry]);
  }
  const ranked = [...bySection.values()].map((entries) => [...entries].sort(byWeight));
  const rounds = Math.max(0, ...ranked.map((entries) => entries.length));
  return Array.from({ length: rounds }, (_, round) => ranked.flatMap((entries) => entries[round] ?? []))
    .flat()
    .slice(0, ASSESSED_FINDINGS)
    .sort(byWeight);
}

function byWeight(a: AssessedFinding, b: AssessedFinding): number {
  return b.finding.confidence - a.finding.confidence || b.citations.length - a.citations.length;
}

function assessment({ finding, citations }: AssessedFinding): string {
  const authoritative = citations.filter((citation) => citation.quality.level === 'authoritative').length;
  const sources =
    citations.length === 1
      ? `one source, ${authoritative === 1 ? 'authoritative' : 'general'}`
      : `${citations.length} sources, ${authoritative} of them authoritative`;
  const numbers = citations.map((citation) => `[${citation.n}]`).join('');
  const claim = quotedIfVerbatim(finding.claim, finding.evidence, (text) => shorten(text, ASSESSMENT_WORDS));
  return `${claim} — ${confidenceWord(finding.confidence)} confidence (${finding.confidence.toFixed(2)}), supported by ${sources} ${numbers}`;
}

/** Each source with its mark, then what the marks rest on: a reason that many sources share is given once. */
function sourceList(citations: readonly ReportCitation[]): string[] {
  if (citations.length === 0) return ['No source is cited.'];
  const reasons = (level: ReportCitation['quality']['level']): string =>
    [
      ...new Set(
        citations.filter(({ quality }) => quality.level === level).map(({ quality }) => quality.reason),
      ),
    ]
      .map((reason) => inert(reason).replace(/\.$/, ''))
      .join('; ');
  const grounds = [
    ['Authoritative', reasons('authoritative')],
    ['General', reasons('general')],
  ].flatMap(([level, text]) => (text === '' ? [] : [`${level}: ${text}.`]));
  return [citations.map(sourceLine).join('\n'), grounds.join(' ')];
}

function sourceLine(citation: ReportCitation): string {
  const { n, author, title, site, publishedAt, url, accessedAt, quality } = citation;
  const about = [site, publishedAt]
    .filter((part) => part !== undefined)
    .map(inert)
    .join(', ');
  const parts = [
    author === undefined ? '' : `${inert(author).replace(/\.$/, '')}.`,
    `“${inert(title).replace(/\.$/, '')}.”`,
    about === '' ? '' : `${about}.`,
    url === null ? '' : `<${encodeURI(decodeSafely(url))}>.`,
    `Accessed ${inert(accessedAt.slice(0, 10))}.`,
    quality.level === 'authoritative' ? 'Authoritative.' : 'General.',
  ];
  return `- [${n}] ${parts.filter((part) => part !== '').join(' ')}`;
}

/** A URL with stray `%` is encoded as it is. */
function decodeSafely(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
