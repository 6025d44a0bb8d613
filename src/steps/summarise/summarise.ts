import { z } from 'zod';
import { Passage } from '../../contracts/source/passage';
import { MAX_SUMMARY_CHARS, SourceEntry, SourceId } from '../../contracts/source/source';
import { summariseTemplate, summariseVariables } from './prompt';
import type { Step, StepProblem } from '../step';

export const SummariseInput = z.object({
  question: z.string(),
  /** Each with what a summary is to be made from. */
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

/** What each source of a batch says, in at most 1,000 characters: its results first, with their numbers. */
export const summarise: Step<SummariseInput, SummariseOutput> = {
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
