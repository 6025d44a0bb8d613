import { z } from 'zod';
import { QuotedSource } from '../quoted-evidence';
import { Share } from '../reading';

const AnsweredFinding = z.object({
  claim: z.string(),
  evidence: z.array(QuotedSource),
  confidence: z.number(),
});
export const FindingsAnswer = z.object({ findings: z.array(AnsweredFinding) });
export const SectionsFindingsAnswer = z.object({
  findings: z.array(z.object({ section: z.int(), ...AnsweredFinding.shape })),
});

export const AnsweredItem = z.object({
  section: z.coerce.number().optional().catch(undefined),
  claim: z.string(),
  evidence: z.union([z.array(QuotedSource), QuotedSource.transform((one) => [one])]),
  // A model that does not say how sure it is leaves it to what the evidence allows.
  confidence: Share.catch(1),
});
export type AnsweredItem = z.infer<typeof AnsweredItem>;
