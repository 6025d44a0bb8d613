import { z } from 'zod';
import { OutlinePlan } from '../../contracts/report/outline';
import { SourceId, SourceQuality } from '../../contracts/source/source';
import { outlineProblems } from '../material/outline-problems';
import { outlineTemplate, outlineVariables } from './prompt';
import { WordCounts } from '../../contracts/report/word-counts';
import type { Step, StepProblem } from '../step';

/** A source as pass 1 sees it: its summary, and what is known of the whole text without reading it again. */
export const SummarisedSource = z.object({
  sourceId: SourceId,
  title: z.string(),
  publishedAt: z.string().optional(),
  quality: SourceQuality,
  nearDuplicateOf: SourceId.optional(),
  /** The words (stems) of the question that stand anywhere in the whole text. */
  held: z.array(z.string()).optional(),
  summary: z.string(),
});
export type SummarisedSource = z.infer<typeof SummarisedSource>;

export const OutlineInput = z.object({
  question: z.string(),
  sources: z.array(SummarisedSource),
  /** How rare the question's words are in the whole texts of all sources. */
  counts: WordCounts.optional(),
});
export type OutlineInput = z.infer<typeof OutlineInput>;

/** Plans the report from all summaries: an overall theme and 5–8 sections that several sources support each. */
export const outline: Step<OutlineInput, OutlinePlan> = {
  name: 'outline',
  version: '4',
  role: 'fast',
  input: OutlineInput,
  output: OutlinePlan,
  template: outlineTemplate,
  variables: outlineVariables,
  check: (input, output): StepProblem[] =>
    outlineProblems(output, new Set(input.sources.map(({ sourceId }) => sourceId))),
};
