import type { QualityCheck } from '../contracts/brief/quality-check';
import { inert } from '../core/writing/quotation';
import type { BriefTemplate } from './template';
import { wordCount } from './word-count';

/** So much of the subtopics is to be named (document 000). */
const COVERED_FROM = 0.8;
/** A heading that document 000 takes for that of the findings as well. */
const FINDINGS = '## Findings';

/** Document 000's basic check of a whole text, by the headings of its template. A title counts as it was given and as a heading shows it. */
export function qualityCheck(
  markdown: string,
  headings: BriefTemplate['headings'],
  subtopicTitles: readonly string[],
): QualityCheck {
  const text = markdown.toLowerCase();
  // A title may have the words of a heading, signs included.
  const lines = new Set(markdown.split('\n').map((line) => line.trim()));
  const covered = subtopicTitles.filter((title) =>
    [title, inert(title)].some((form) => text.includes(form.toLowerCase())),
  ).length;
  const has = {
    hasExecutiveSummary: lines.has(headings.summary.markdown),
    hasFindings: lines.has(headings.findings.markdown) || lines.has(FINDINGS),
    hasSources: lines.has(headings.sources.markdown),
    hasCitations: /\[\d+\]/.test(markdown),
  };
  const subtopicsCovered = subtopicTitles.length === 0 ? 0 : covered / subtopicTitles.length;
  return {
    ...has,
    subtopicsCovered,
    wordCount: wordCount(markdown),
    passes: Object.values(has).every(Boolean) && subtopicsCovered >= COVERED_FROM,
  };
}
