import { z } from 'zod';
import { SourceId } from './source';

/**
 * Relevance of a source to a section, 0–1 (document 002): from 0.9 highly relevant, from 0.7 relevant, from 0.5 somewhat
 * relevant.
 */
export const Relevance = z.number().min(0).max(1);

export const ScoredSource = z.object({ sourceId: SourceId, relevance: Relevance });
export type ScoredSource = z.infer<typeof ScoredSource>;

export const OutlineSection = z.object({
  id: z.string().regex(/^section-\d+$/),
  title: z.string().min(1).max(120),
  description: z.string().min(1),
  subsections: z.array(z.object({ title: z.string().min(1), sourceIds: z.array(SourceId) })),
  /** The most relevant sources, best first; ties by id. */
  relevantSources: z.array(ScoredSource),
});
export type OutlineSection = z.infer<typeof OutlineSection>;

/** No source answers the question. `nearest` are the closest ones, nearest first. */
export const Unanswered = z.object({ nearest: z.array(SourceId).min(1) });
export type Unanswered = z.infer<typeof Unanswered>;

/** Either sections or `unanswered`. */
function isConsistent({ sections, unanswered }: { sections: unknown[]; unanswered?: unknown }): boolean {
  return (sections.length === 0) === (unanswered !== undefined);
}
const INCONSISTENT = 'an outline has sections, or says that the question is unanswered';

/** The result of the outline step. It has no number of sources, because plans of parts of them are merged. */
export const OutlinePlan = z
  .object({
    overallTheme: z.string().min(1),
    sections: z.array(OutlineSection),
    unanswered: Unanswered.optional(),
  })
  .refine(isConsistent, INCONSISTENT);
export type OutlinePlan = z.infer<typeof OutlinePlan>;

/** Maximum number of sources in a section's ranking. A longer ranking keeps the first sources that have any relevance. */
export const MAX_SCORED_SOURCES = 2_000;

/** A section with the run's sources, ranked by relevance and support. */
export const RankedSection = OutlineSection.extend({ sourceScores: z.array(ScoredSource) });
export type RankedSection = z.infer<typeof RankedSection>;

/** The result of pass 1: 5–15 relevant sources per section if there are as many, and the scores of the sources. */
export const Outline = z
  .object({
    overallTheme: z.string().min(1),
    sections: z.array(RankedSection),
    unanswered: Unanswered.optional(),
    /** Number of sources with any relevance, if the rankings do not have all sources. */
    bearing: z.int().nonnegative().optional(),
  })
  .refine(isConsistent, INCONSISTENT);
export type Outline = z.infer<typeof Outline>;

const SingleLine = (most: number): z.ZodString =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\n\r]*$/, 'it has one line');

export const GivenOutline = z.object({
  /** Default: made from the titles. */
  overallTheme: SingleLine(1_000).optional(),
  sections: z
    .array(
      z.object({
        title: SingleLine(120),
        description: z.string().trim().min(1).max(1_000).optional(),
        subsections: z.array(SingleLine(120)).max(12).optional(),
      }),
    )
    .min(1, 'an outline has one section at least')
    .max(20, 'an outline has 20 sections at most'),
});
export type GivenOutline = z.infer<typeof GivenOutline>;

/** Sources that may be read for each section, ranked by their findings in pass 2; `score` is 0–1. */
export const SourceRanking = z.object({
  sections: z.array(
    z.object({
      sectionId: z.string(),
      sources: z.array(
        ScoredSource.extend({ findings: z.int().nonnegative(), score: z.number().min(0).max(1) }),
      ),
    }),
  ),
});
export type SourceRanking = z.infer<typeof SourceRanking>;

/** `summary`, one part per subtopic under its id, `conclusions`. */
export const BriefPart = z.object({
  id: z.string().regex(/^(summary|conclusions|subtopic-\d+)$/),
  title: z.string().min(1),
  words: z.int().positive(),
  /** Instructions to the writer; may be empty. */
  guidance: z.string(),
  /** In the order of the text. */
  findingIds: z.array(z.string()),
});
export type BriefPart = z.infer<typeof BriefPart>;

export const BriefPlan = z.object({
  title: z.string().min(1),
  parts: z.array(BriefPart).min(1),
});
export type BriefPlan = z.infer<typeof BriefPlan>;
