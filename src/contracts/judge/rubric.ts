import { z } from 'zod';

const dimension = (
  weight: number,
  asks: string,
): z.ZodPrefault<z.ZodObject<{ weight: z.ZodDefault<z.ZodNumber>; asks: z.ZodDefault<z.ZodString> }>> =>
  z
    .object({
      /** Of all dimensions together; they need not add up to 1. */
      weight: z.number().min(0).max(1).default(weight),
      /** What a judge that is a model is asked. */
      asks: z.string().trim().min(1).max(500).default(asks),
    })
    .prefault({});

/** How a finished text is judged, and when it is good enough; part of a run's input. Weights, threshold and revisions are document 000's. */
export const JudgeSettings = z.object({
  /** Whether reports and briefs are judged; an answer is where `--judge` says so. */
  enabled: z.boolean().default(true),
  /** The weighted score from which a text passes. */
  threshold: z.number().min(1).max(5).default(3.5),
  /** A text that does not pass is revised so often at most. */
  maxRevisions: z.int().min(0).max(2).default(2),
  rubric: z
    .object({
      factualAccuracy: dimension(
        0.3,
        'Are claims supported by the material that was provided, without hallucinated facts?',
      ),
      completeness: dimension(0.25, 'Does the text address all topics with sufficient depth?'),
      coverage: dimension(0.2, 'Are diverse perspectives and sources represented?'),
      coherence: dimension(0.15, 'Does the text flow logically with smooth transitions?'),
      bias: dimension(0.1, 'Is the text balanced and free from unwarranted bias?'),
    })
    .prefault({}),
});
export type JudgeSettings = z.infer<typeof JudgeSettings>;
