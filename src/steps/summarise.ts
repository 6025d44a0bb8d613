import { z } from 'zod';
import { MAX_SUMMARY_CHARS, Passage, SourceEntry, SourceId } from '../contracts/source';
import {
  materialBlock,
  PASSAGE_SYSTEM,
  promptLine,
  READER_SYSTEM,
  shortIds,
  type ShortIds,
  sourceBlock,
  sourceShortIds,
} from './material';
import type { Step, StepProblem, StepTemplate } from './step';

export const SummariseInput = z.object({
  question: z.string(),
  sources: z.array(
    SourceEntry.pick({ title: true, author: true, site: true, publishedAt: true }).extend({
      sourceId: SourceId,
      passages: z.array(Passage),
    }),
  ),
});
export type SummariseInput = z.infer<typeof SummariseInput>;

export const SummariseOutput = z.object({
  summaries: z.array(z.object({ sourceId: SourceId, summary: z.string().min(1).max(MAX_SUMMARY_CHARS) })),
});
export type SummariseOutput = z.infer<typeof SummariseOutput>;

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

export const CompressInput = z.object({
  question: z.string(),
  passages: z.array(z.object({ id: z.string(), text: z.string().min(1) })),
  /** Exclusive limit per summary. */
  maxChars: z.int().positive(),
});
export type CompressInput = z.infer<typeof CompressInput>;

export const CompressOutput = z.object({
  /** One summary per passage, in order, with the passage's numbers as far as they fit. */
  summaries: z.array(z.object({ id: z.string(), text: z.string().min(1) })),
});
export type CompressOutput = z.infer<typeof CompressOutput>;

/** Models count characters badly, and a summary that is too long is lost. */
const REQUESTED_SHARE = 0.9;

const compressTemplate: StepTemplate = {
  system: PASSAGE_SYSTEM,
  user: `{{passages}}

You shorten passages for a writer who has no room for the whole of them. The writer is to answer: {{question}}

Say what each of these {{count}} passages says, in fewer than {{maxChars}} characters of plain text.
- Keep every number of the passage as it is written, with its unit and with what it counts or measures, every date, and the names that belong to them. Add no number.
- Keep what bears on the question first, and whether it is denied, doubted or limited. Use the passage's own words.
- Leave out everything else. Add nothing: no opinion, no introduction, nothing of another passage.

Answer with one JSON object: {"summaries": [{"passage": "P…", "summary": "…"}]}, one entry for each passage.`,
};

function compressVariables(input: CompressInput, mark: string): Record<string, string> {
  const ids = passageShortIds(input);
  return {
    mark,
    question: promptLine(input.question),
    passages: materialBlock(
      mark,
      'passages',
      input.passages.map(({ id, text }) => `${ids.shortOf(id)}: ${promptLine(text)}`).join('\n\n'),
    ),
    count: `${input.passages.length}`,
    maxChars: `${Math.floor(input.maxChars * REQUESTED_SHARE)}`,
  };
}

export function passageShortIds({ passages }: Pick<CompressInput, 'passages'>): ShortIds {
  return shortIds(
    'P',
    passages.map(({ id }) => id),
  );
}

export const compress: Step<CompressInput, CompressOutput, 'compress'> = {
  name: 'compress',
  version: '1',
  role: 'fast',
  input: CompressInput,
  output: CompressOutput,
  template: compressTemplate,
  variables: compressVariables,
  check({ passages, maxChars }, { summaries }): StepProblem[] {
    const said = new Map(summaries.map(({ id, text }) => [id, text]));
    const given = new Set(passages.map(({ id }) => id));
    return [
      ...passages.flatMap(({ id }): StepProblem[] => {
        const text = said.get(id);
        if (text === undefined) return [{ path: 'summaries', message: `there is none of passage ${id}` }];
        if (text.length < maxChars) return [];
        return [{ path: `summaries.${id}`, message: `it has ${text.length} characters` }];
      }),
      ...summaries
        .filter(({ id }) => !given.has(id))
        .map(({ id }) => ({ path: 'summaries', message: `passage ${id} was not given` })),
    ];
  },
};
