import { z } from 'zod';
import { Evidence } from '../../contracts/report/finding';
import { SourceId } from '../../contracts/source/source';

export const CheckSentencesInput = z.object({
  /** What was written, each without its citation marks, and the sources that it cites. */
  sentences: z.array(z.object({ id: z.string(), text: z.string(), sourceIds: z.array(SourceId).min(1) })),
  /** All that they may rest on: the quotes of the findings, nothing else of the sources. */
  evidence: z.array(Evidence),
});
export type CheckSentencesInput = z.infer<typeof CheckSentencesInput>;

export const SentenceVerdict = z.object({
  sentenceId: z.string(),
  borne: z.boolean(),
  /** Where it stands in the evidence; a verdict without it confirms nothing. */
  evidence: Evidence.nullable(),
  reason: z.string(),
});
export type SentenceVerdict = z.infer<typeof SentenceVerdict>;

export const CheckSentencesOutput = z.object({ verdicts: z.array(SentenceVerdict) });
export type CheckSentencesOutput = z.infer<typeof CheckSentencesOutput>;
