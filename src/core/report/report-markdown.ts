import type { Report } from '../../contracts/report/report';
import { bullets, joinBlocks } from '../writing/markdown-blocks';
import { inert } from '../writing/quotation';
import { SINCE_HEADING, sinceMarkdown } from '../writing/since-text';
import { citedSources } from './cited-sources';
import { SET_ASIDE_HEADING } from './claims-line';
import { OWN_CHAPTERS } from './own-chapters';

/** The parts of `report.md` that are not already in the report's own fields. */
export interface MarkdownParts {
  /** What the reader has to know first, a sentence each, in Markdown: that the run ended early, lacks a part, or cites little. */
  notices: string[];
  /** What the Executive Summary begins with, in Markdown. */
  opening: string;
  bullets: string[];
  conflictParagraphs: string[];
  gapLines: string[];
  /** The claims that do not stand, an item each. */
  setAside: string[];
  /** The paragraphs of the Confidence Assessment. */
  assessment: string[];
}

/** `report.md`: the report as a person reads it. */
export function reportMarkdown(report: Omit<Report, 'markdown'>, parts: MarkdownParts): string {
  const blocks = [
    `# ${inert(report.title)}`,
    [...new Set(parts.notices)].map((notice) => `> ${notice}`).join('\n>\n'),
    ...(report.since === undefined ? [] : [`## ${SINCE_HEADING}`, sinceMarkdown(report.since)]),
    `## ${OWN_CHAPTERS.summary}`,
    summaryChapter(parts),
    ...report.sections.flatMap((section) => [`## ${inert(section.title)}`, section.markdown]),
    ...when(parts.conflictParagraphs, `## ${OWN_CHAPTERS.conflicts}`),
    `## ${OWN_CHAPTERS.gaps}`,
    parts.gapLines.length === 0 ? 'None was found.' : bullets(parts.gapLines),
    `## ${OWN_CHAPTERS.confidence}`,
    ...parts.assessment,
    ...when(report.followUpQuestions.map(inert), `## ${OWN_CHAPTERS.followUps}`),
    ...when(parts.setAside, `## ${SET_ASIDE_HEADING}`),
    '## Sources',
    citedSources(report.citations),
  ];
  return joinBlocks(blocks);
}

/** What stands under the heading of the Executive Summary. */
export function summaryChapter(parts: Pick<MarkdownParts, 'opening' | 'bullets'>): string {
  return joinBlocks([parts.opening, bullets(parts.bullets)]).trimEnd();
}

function when(items: readonly string[], heading: string): string[] {
  return items.length === 0 ? [] : [heading, bullets(items)];
}
