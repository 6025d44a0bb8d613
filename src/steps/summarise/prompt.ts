import { MAX_SUMMARY_CHARS } from '../../contracts/source/source';
import { sourceShortIds } from '../material/short-ids';
import type { SummariseInput } from './contract';
import type { StepTemplate } from '../template';
import { promptLine } from '../material/material-block';
import { READER_SYSTEM } from '../material/material-rules';
import { sourceBlock } from '../material/source-blocks';

export const summariseTemplate: StepTemplate = {
  system: READER_SYSTEM,
  user: `{{sources}}

You prepare sources for a research report. You say what each source itself says, precisely and briefly.

The report is to answer: {{question}}

Summarise each of these {{count}} sources in at most {{maxChars}} characters of plain text, in complete sentences.
- What the source found or asserts comes first, with its exact numbers, units, dates and names; then what that rests on: who or what it is about, and how it was found out.
- Give the time at which something held wherever it may change ("as of 2024").
- Keep doubts, limits and results against expectation. Add no opinion, no introduction, no padding.

Answer with one JSON object: {"summaries": [{"source": "S…", "summary": "…"}]}, one entry for each source.`,
};

export function summariseVariables(input: SummariseInput, mark: string): Record<string, string> {
  const ids = sourceShortIds(input.sources);
  return {
    mark,
    question: promptLine(input.question),
    sources: input.sources
      .map((source) => sourceBlock(mark, ids.shortOf(source.sourceId), source))
      .join('\n\n'),
    count: `${input.sources.length}`,
    maxChars: `${MAX_SUMMARY_CHARS - 100}`,
  };
}
