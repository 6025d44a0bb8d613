import { z } from 'zod';
import { isSafePattern } from './quality-pattern';

/** A nested repetition takes for ever on some addresses; rules are short patterns over a path. */
const MAX_PATTERN_CHARS = 200;

const Domain = z.string().regex(/^(?:\*|[a-z0-9-]+)(?:\.(?:\*|[a-z0-9-]+))*$/, 'a domain in lower case');

/**
 * One rule of thumb about who stands behind an address. A rule fits when every part it has fits; the first rule
 * that fits decides. Lists extend the rules by standing before them.
 */
export const QualityRule = z
  .object({
    level: z.enum(['authoritative', 'general']),
    /** Shown to the reader after the host: `ncbi.nlm.nih.gov: a peer-reviewed journal archive`. */
    reason: z.string().trim().min(1).max(200),
    /** Domains: the host is one of them or lies below one. A `*` stands for a country: `ac.*` fits `ox.ac.uk`. */
    domains: z.array(Domain).min(1).optional(),
    /** First labels of the host: `docs` fits `docs.example.org`. */
    hostStarts: z.array(z.string().min(1)).min(1).optional(),
    /** A regular expression over the path, in lower case. */
    path: z
      .string()
      .min(1)
      .max(MAX_PATTERN_CHARS)
      .refine(isSafePattern, 'a regular expression, without a repetition of a repetition')
      .optional(),
  })
  .refine(
    ({ domains, hostStarts, path }) => (domains ?? hostStarts ?? path) !== undefined,
    'a rule with domains, hostStarts or path',
  );
export type QualityRule = z.infer<typeof QualityRule>;

export const QualityRules = z.array(QualityRule).max(1_000);
