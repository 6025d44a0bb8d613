import { z } from 'zod';
import { ConflictKind } from '../../../../contracts/report/finding';
import { QuotedSource } from '../quoted-evidence';

export const ChecksAnswer = z.object({
  checks: z.array(
    z.object({
      finding: z.string(),
      supporting: z.array(QuotedSource),
      contradicting: z.array(QuotedSource),
    }),
  ),
  conflicts: z.array(
    z.object({
      topic: z.string(),
      kind: ConflictKind,
      findings: z.array(z.string()),
      viewpoints: z.array(z.object({ evidence: z.array(QuotedSource) })),
      resolution: z.string(),
      reason: z.string(),
    }),
  ),
  gaps: z.array(z.object({ question: z.string(), reason: z.string() })),
});

const Quotes = z
  .array(QuotedSource)
  .nullish()
  .transform((list) => list ?? []);
export const CheckItem = z.object({ finding: z.string(), supporting: Quotes, contradicting: Quotes });
export const ConflictItem = z.object({
  topic: z.string(),
  kind: ConflictKind.catch('direction'),
  findings: z.array(z.string()).catch([]),
  viewpoints: z.array(z.object({ evidence: z.array(QuotedSource) })),
  resolution: z.string().catch('present_both'),
  reason: z.string().catch(''),
});
export const GapItem = z.object({ question: z.string(), reason: z.string().catch('') });
