import { z } from 'zod';

/** What a judge that is a model is asked. */
type Question = z.ZodDefault<z.ZodString>;
const question = (asks: string): Question => z.string().trim().min(1).max(500).default(asks);

const weighted = (
  weight: number,
  asks: string,
): z.ZodPrefault<z.ZodObject<{ weight: z.ZodDefault<z.ZodNumber>; asks: Question }>> =>
  z
    .object({
      /** Of all dimensions together; they need not add up to 1. */
      weight: z.number().min(0).max(1).default(weight),
      asks: question(asks),
    })
    .prefault({});

const unweighted = (asks: string): z.ZodPrefault<z.ZodObject<{ asks: Question }>> =>
  z.object({ asks: question(asks) }).prefault({});

/** How a finished text is judged, and when it is good enough; part of a run's input. Weights, threshold and revisions are document 000's. */
export const JudgeSettings = z.object({
  /** Whether reports and briefs are judged; an answer is where `--judge` says so. */
  enabled: z.boolean().default(true),
  /** The weighted score from which a text passes, where each dimension without a weight reaches it, too. */
  threshold: z.number().min(1).max(5).default(3.5),
  /** A text that does not pass is revised so often at most. */
  maxRevisions: z.int().min(0).max(2).default(2),
  rubric: z
    .object({
      factualAccuracy: weighted(
        0.3,
        'Are claims supported by the material that was provided, without hallucinated facts?',
      ),
      completeness: weighted(0.25, 'Does the text address all topics with sufficient depth?'),
      coverage: weighted(0.2, 'Are diverse perspectives and sources represented?'),
      coherence: weighted(0.15, 'Does the text flow logically with smooth transitions?'),
      bias: weighted(0.1, 'Is the text balanced and free from unwarranted bias?'),
      answerFirst: unweighted(
        'Does the first sentence of the text answer the question, with the number or range that a reader can use?',
      ),
      readability: unweighted(
        'Does a reader understand the text at first reading, without lists of findings and repeated remarks?',
      ),
      length: unweighted(
        'Is the text as long as the question needs, with nothing said twice? A summary may say in short what the rest tells.',
      ),
    })
    .prefault({}),
});
export type JudgeSettings = z.infer<typeof JudgeSettings>;
