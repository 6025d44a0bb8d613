import { z } from 'zod';
import { SourceId } from './source';

/**
 * How much a source has to say to a section, 0–1 (document 002): 0.9 and more highly relevant, 0.7 relevant, 0.5 somewhat
 * relevant; what is below that touches on the section at most.
 */
export const Relevance = z.number().min(0).max(1);

export const ScoredSource = z.object({ sourceId: SourceId, relevance: Relevance });
export type ScoredSource = z.infer<typeof ScoredSource>;

export const OutlineSection = z.object({
  id: z.string().regex(/^section-\d+$/),
  title: z.string().min(1).max(120),
  description: z.string().min(1),
  subsections: z.array(z.object({ title: z.string().min(1), sourceIds: z.array(SourceId) })),
  /** The sources that matter most to the section, best first; ties by id. */
  relevantSources: z.array(ScoredSource),
});
export type OutlineSection = z.infer<typeof OutlineSection>;

/** That no source addresses the question; and which come nearest to it, the nearest first. */
export const Unanswered = z.object({ nearest: z.array(SourceId).min(1) });
export type Unanswered = z.infer<typeof Unanswered>;

/** An outline has sections, or says that nothing answers; never neither, and never both. */
function isWhole({ sections, unanswered }: { sections: unknown[]; unanswered?: unknown }): boolean {
  return (sections.length === 0) === (unanswered !== undefined);
}
const NOT_WHOLE = 'an outline has sections, or says that the question is unanswered';

/**
 * What the outline step gives: an outline whose sections list the sources that it found for them. It says nowhere how many
 * sources there are: plans of parts of them are joined.
 */
export const OutlinePlan = z
  .object({
    overallTheme: z.string().min(1),
    sections: z.array(OutlineSection),
    unanswered: Unanswered.optional(),
  })
  .refine(isWhole, NOT_WHOLE);
export type OutlinePlan = z.infer<typeof OutlinePlan>;

/** Of more sources a section's ranking has so many at most, the first of those that have anything to say to it. */
export const SCORED_AT_MOST = 2_000;

/** A section with the sources of the run, ranked by their relevance and by what they support (`rankBySupport`). */
export const RankedSection = OutlineSection.extend({ sourceScores: z.array(ScoredSource) });
export type RankedSection = z.infer<typeof RankedSection>;

/** What pass 1 leaves: 5–15 relevant sources a section where there are as many, and the scores of the sources. */
export const Outline = z
  .object({
    overallTheme: z.string().min(1),
    sections: z.array(RankedSection),
    unanswered: Unanswered.optional(),
    /** How many sources have something to say to a section, where the sections' rankings do not have all sources. */
    bearing: z.int().nonnegative().optional(),
  })
  .refine(isWhole, NOT_WHOLE);
export type Outline = z.infer<typeof Outline>;

const Line = (most: number): z.ZodString =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\n\r]*$/, 'it has one line');

export const GivenOutline = z.object({
  /** What the report is about as a whole; made of the titles where it is absent. */
  overallTheme: Line(1_000).optional(),
  sections: z
    .array(
      z.object({
        title: Line(120),
        description: z.string().trim().min(1).max(1_000).optional(),
        subsections: z.array(Line(120)).max(12).optional(),
      }),
    )
    .min(1, 'an outline has one section at least')
    .max(20, 'an outline has 20 sections at most'),
});
export type GivenOutline = z.infer<typeof GivenOutline>;

/** Each section's sources that may be read for it, by what they gave it in pass 2; `score` is 0–1 (`rankByFindings`). */
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

/** A part of a brief that is written: `summary`, one for each subtopic under its id, `conclusions`. */
export const BriefPart = z.object({
  id: z.string().regex(/^(summary|conclusions|subtopic-\d+)$/),
  title: z.string().min(1),
  words: z.int().positive(),
  /** What it is to say, for who writes it; empty where nothing is to be said besides. */
  guidance: z.string(),
  /** What it tells of, in that order. */
  findingIds: z.array(z.string()),
});
export type BriefPart = z.infer<typeof BriefPart>;

/** What a brief is going to be, before it is written. Its parts stand in the order in which they are read. */
export const BriefPlan = z.object({
  title: z.string().min(1),
  parts: z.array(BriefPart).min(1),
});
export type BriefPlan = z.infer<typeof BriefPlan>;
