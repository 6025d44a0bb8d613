import { SummariseInput, SummariseOutput } from './contract';
import type { Step, StepProblem } from '../step';
import { MAX_SUMMARY_CHARS } from '../../contracts/source/source';
import { sourceShortIds } from '../material/short-ids';
import type { StepTemplate } from '../template';
import { promptLine } from '../material/material-block';
import { READER_SYSTEM } from '../material/material-rules';
import { sourceBlock } from '../material/source-blocks';

const summariseTemplate: StepTemplate = {
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

/** What each source of a batch says, in at most 1,000 characters: its results first, with their numbers. */
export const summarise: Step<SummariseInput, SummariseOutput, 'summarise'> = {
  name: 'summarise',
  version: '3',
  role: 'fast',
  input: SummariseInput,
  output: SummariseOutput,
  template: summariseTemplate,
  variables: summariseVariables,
  check(input, output): StepProblem[] {
    const answered = new Set(output.summaries.map((summary) => summary.sourceId));
    const asked = new Set(input.sources.map((source) => source.sourceId));
    return [
      ...[...asked]
        .filter((id) => !answered.has(id))
        .map((id) => ({ path: 'summaries', message: `no summary of source ${id}` })),
      ...[...answered]
        .filter((id) => !asked.has(id))
        .map((id) => ({ path: 'summaries', message: `source ${id} was not asked for` })),
    ];
  },
};

function summariseVariables(input: SummariseInput, mark: string): Record<string, string> {
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
