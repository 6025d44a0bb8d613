import { z } from 'zod';
import { BriefMaterial } from '../../contracts/brief/brief-material';
import { BriefPart, BriefPlan } from '../../contracts/brief/brief-plan';
import { Conflict, Finding } from '../../contracts/report/finding';

export const WantedPart = BriefPart.pick({ id: true, title: true }).extend({ instruction: z.string() });
export type WantedPart = z.infer<typeof WantedPart>;

export const PlanBriefInput = z.object({
  question: z.string(),
  /** In the template's order, each subtopic among them. */
  parts: z.array(WantedPart).min(1),
  subtopics: z.array(z.object({ id: z.string(), title: z.string(), findings: z.array(Finding) })),
  conflicts: z.array(Conflict),
  places: BriefMaterial.shape.places.optional(),
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

export const PlanBriefOutput = BriefPlan;
export type PlanBriefOutput = BriefPlan;
