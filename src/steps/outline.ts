import { z } from 'zod';
import { OutlinePlan } from '../core/contracts/outline';
import { SourceId, SourceQuality } from '../core/contracts/source';
import { outlineTemplate, outlineVariables } from './prompts/outline';
import type { Step, StepProblem } from './step';

export const OutlineInput = z.object({
  question: z.string(),
  sources: z.array(
    z.object({
      sourceId: SourceId,
      title: z.string(),
      publishedAt: z.string().optional(),
      quality: SourceQuality,
      nearDuplicateOf: SourceId.optional(),
      /** In how many sentences of the whole text each of the question's topics is spoken of, in the question's order. */
      mentions: z.array(z.int().nonnegative()).optional(),
      summary: z.string(),
    }),
  ),
});
export type OutlineInput = z.infer<typeof OutlineInput>;

/** Plans the report from all summaries: an overall theme and 5–8 sections that several sources support each. */
export const outline: Step<OutlineInput, OutlinePlan> = {
  name: 'outline',
  version: '2',
  role: 'fast',
  input: OutlineInput,
  output: OutlinePlan,
  template: outlineTemplate,
  variables: outlineVariables,
  check(input, output): StepProblem[] {
    const known = new Set(input.sources.map((source) => source.sourceId));
    const problems: StepProblem[] = [];
    const ids = new Set<string>();
    const titles = new Set<string>();
    for (const section of output.sections) {
      const path = `sections.${section.id}`;
      if (ids.has(section.id)) problems.push({ path, message: 'the id is used twice' });
      if (titles.has(section.title.toLowerCase()))
        problems.push({ path, message: 'the title is used twice' });
      ids.add(section.id);
      titles.add(section.title.toLowerCase());
      const mentioned = [
        ...section.relevantSources.map((source) => source.sourceId),
        ...section.subsections.flatMap((subsection) => subsection.sourceIds),
      ];
      for (const id of mentioned.filter((sourceId) => !known.has(sourceId))) {
        problems.push({ path, message: `source ${id} is not among the sources` });
      }
      if (section.relevantSources.length === 0)
        problems.push({ path, message: 'no source supports the section' });
    }
    return problems;
  },
};
