import type { SourceWindow } from '../../core/contracts/passage';
import type { ExtractFindingsInput } from '../extract-findings';
import { sourceShortIds, type ShortIds } from '../short-ids';
import type { StepTemplate } from '../template';
import { MATERIAL_RULES, promptLine, windowBlock } from './material';
import { sectionText } from './section-brief';

export const extractFindingsTemplate: StepTemplate = {
  system: `You read sources for one section of a research report and write down what they found. Each finding will be checked, word for word, against the passage that you quote.
${MATERIAL_RULES}`,
  user: `The report is to answer: {{question}}

{{section}}

{{sources}}

Extract {{min}} to {{max}} findings that belong to this section and help to answer the question; fewer where the sources have no more, and none that only fills space.
- A finding is a result or a statement that the source makes itself: not an aim, a method, a hypothesis, a recommendation to readers, or what it says that others found.
- "claim" says it in one sentence that can be understood alone: who or what, under which conditions, how much, with the exact numbers, units, dates and names of the source. For what changes with time, say when it held ("as of 2024").
- "evidence" has one quote for each source that says so: copied character by character from that source, one or two whole sentences, nothing left out and nothing added. A source without a quote does not count.
- Put sources that say the same under one claim; findings that several sources support come first. Sources that say the opposite get a finding of their own, whose claim says that they disagree.
- "confidence": 0.9 to 1 where several authoritative sources agree; 0.7 to 0.9 for one authoritative source, or several general ones; 0.5 to 0.7 for one general source or indirect evidence; below 0.5 for weak or speculative evidence.

Answer with one JSON object:
{"findings": [{"claim": "…", "evidence": [{"source": "S…", "quote": "…"}], "confidence": <0 to 1>}]}`,
};

export function extractFindingsVariables(input: ExtractFindingsInput, mark: string): Record<string, string> {
  return {
    mark,
    question: promptLine(input.question),
    section: sectionText(input.section),
    sources: windowBlocks(mark, input.sources, sourceShortIds(input.sources)),
    min: `${input.findings.min}`,
    max: `${input.findings.max}`,
  };
}

export function windowBlocks(mark: string, windows: readonly SourceWindow[], ids: ShortIds): string {
  const known = new Set(windows.map((window) => window.sourceId));
  return windows
    .map((window) => {
      const original = window.nearDuplicateOf;
      const duplicateOf = original !== undefined && known.has(original) ? ids.shortOf(original) : undefined;
      return windowBlock(mark, ids.shortOf(window.sourceId), window, duplicateOf);
    })
    .join('\n\n');
}
