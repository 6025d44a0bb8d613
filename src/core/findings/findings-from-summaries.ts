import type { Evidence, Finding } from '../contracts/finding';
import { splitSentences } from '../../language/sentences';

/** Document 002: below 0.5 is weak evidence. Nobody has read these sources for the section. */
const SUMMARY_CONFIDENCE = 0.45;
const MIN_SENTENCE_CHARS = 40;

export interface SummarisedText {
  sourceId: string;
  summary: string;
  content: string | null;
}

/**
 * What stands in for findings where pass 2 failed: of each summary the first sentence that the source itself has word for
 * word. A summary in other words than its source's gives nothing that could be checked, and is left out.
 */
export function findingsFromSummaries(
  sectionId: string,
  sources: readonly SummarisedText[],
  max: number,
): Finding[] {
  return sources
    .flatMap(({ sourceId, summary, content }) => quoteOf(sourceId, summary, content) ?? [])
    .slice(0, max)
    .map((evidence, index) => ({
      id: `${sectionId}-finding-${index + 1}`,
      sectionId,
      claim: evidence.quote.replace(/\s+/g, ' '),
      citations: [evidence.sourceId],
      evidence: [evidence],
      confidence: SUMMARY_CONFIDENCE,
      contexts: [],
    }));
}

function quoteOf(sourceId: string, summary: string, content: string | null): Evidence | null {
  if (content === null) return null;
  for (const { text } of splitSentences(summary)) {
    const start = text.length < MIN_SENTENCE_CHARS ? -1 : content.indexOf(text);
    if (start >= 0) return { sourceId, quote: text, start, end: start + text.length };
  }
  return null;
}
