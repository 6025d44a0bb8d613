import { type Span, splitSentences } from '../../language/sentences';
import type { Evidence, Finding } from '../../contracts/report/finding';
import { inTurns } from '../values/in-turns';

/** Document 002: below 0.5 is weak evidence. Nobody has read these sources for the section. */
const SUMMARY_CONFIDENCE = 0.45;

export interface SummarisedText {
  sourceId: string;
  summary: string;
  content: string | null;
}

/**
 * What stands in for findings where pass 2 failed: the sentences of the summaries that the sources themselves have word for
 * word, each source's first before any source's second. A summary in other words than its source's gives nothing that could
 * be checked, and is left out.
 */
export function findingsFromSummaries(
  sectionId: string,
  sources: readonly SummarisedText[],
  max: number,
): Finding[] {
  return inTurns(sources.map(quotesOf))
    .slice(0, max)
    .map((evidence, index) => ({
      id: `${sectionId}-finding-${index + 1}`,
      sectionId,
      claim: evidence.quote.replace(/\s+/g, ' '),
      citations: [evidence.sourceId],
      evidence: [evidence],
      confidence: SUMMARY_CONFIDENCE,
    }));
}

function quotesOf({ sourceId, summary, content }: SummarisedText): Evidence[] {
  return sentencesFoundIn(content ?? '', summary).map(({ text, ...place }) => ({
    sourceId,
    quote: text,
    ...place,
  }));
}

export function sentencesFoundIn(content: string, summary: string): Span[] {
  return splitSentences(summary).flatMap(({ text }) => {
    const start = content.indexOf(text);
    return start < 0 ? [] : [{ start, end: start + text.length, text }];
  });
}
