import { z } from 'zod';
import { BriefPart, BriefPlan } from '../../contracts/brief/brief-plan';
import { Finding } from '../../contracts/report/finding';
import type { Step, StepProblem } from '../step';
import { WITHOUT_PROMPT } from '../template';

export const PlanBriefInput = z.object({
  question: z.string(),
  /** In the template's order, each subtopic among them. */
  parts: z.array(BriefPart.pick({ id: true, title: true })).min(1),
  subtopics: z.array(z.object({ id: z.string(), title: z.string(), findings: z.array(Finding) })),
  /** The words that there are for all parts together; null for as many as it takes, up to `maxWords`. */
  words: z.int().positive().nullable(),
  maxWords: z.int().positive(),
  /**
   * `words` and `maxWords` leave room for a list of all sources, and only those that are cited are listed: the words of each one's
   * line by its id, and the words that there are for the parts and the list together.
   */
  list: z
    .object({
      lines: z.record(z.string(), z.int().nonnegative()),
      words: z.int().positive().nullable(),
      maxWords: z.int().positive(),
    })
    .optional(),
});
export type PlanBriefInput = z.infer<typeof PlanBriefInput>;

/** Shares the words of a brief out to its parts, and chooses what they quote where no model writes them. */
export const planBrief: Step<PlanBriefInput, BriefPlan, 'plan-brief'> = {
  name: 'plan-brief',
  version: '1',
  role: 'strong',
  input: PlanBriefInput,
  output: BriefPlan,
  template: WITHOUT_PROMPT,
  variables: () => ({}),
  check(input, output): StepProblem[] {
    const known = new Set(input.subtopics.flatMap(({ findings }) => findings.map(({ id }) => id)));
    const wanted = input.parts.map(({ id }) => id).join();
    const problems = output.parts.flatMap(({ findingIds }, index) =>
      findingIds
        .filter((id) => !known.has(id))
        .map((id) => ({ path: `parts.${index}.findingIds`, message: `${id} is not one of the findings` })),
    );
    if (output.parts.map(({ id }) => id).join() !== wanted)
      problems.push({ path: 'parts', message: `they must be ${wanted}, in that order` });
    return problems;
  },
};
