import { z } from 'zod';
import { RunKind } from '../kinds';
import { SourceId } from '../source/source';
import { Verdict } from './claim-verdict';

const Offsets = z.object({ start: z.int().nonnegative(), end: z.int().nonnegative() });

/** A source as whoever looks a claim up needs it; in an answer `n` stands for a passage of it. */
const EvidenceSource = z.object({
  /** As the text cites it; null for one that it does not list. */
  n: z.int().positive().nullable(),
  sourceId: SourceId,
  title: z.string(),
  author: z.string().nullable(),
  publishedAt: z.string().nullable(),
  url: z.string().nullable(),
});

const EvidencePassage = z.object({
  source: EvidenceSource,
  /** The quote with what stands around it in its source, as far as that may be shown. */
  text: z.string(),
  /** `text.slice(start, end)` is the quote. */
  quote: Offsets,
  at: Offsets,
  /** Where readers find it, as far as that is known: a page, or what stands for one, such as `slide 4`. */
  page: z.int().nullable(),
  place: z.string().nullable(),
  disputed: z.boolean(),
  /** True where it is of what a given summary says on the source's account, and not of the source. */
  ofSummary: z.boolean(),
  /** Why nothing stands around the quote: the source's licence, or what was set; null where nothing is withheld. */
  withheld: z.enum(['licence', 'setting']).nullable(),
});

export const ClaimEvidence = z.object({
  runId: z.string(),
  kind: RunKind,
  claim: z.object({
    id: z.string(),
    text: z.string(),
    /** The part of the text in which it stands; null where that is not known. */
    part: z.object({ id: z.string(), title: z.string() }).nullable(),
    /** False where it was written and set aside. */
    stands: z.boolean(),
    verdict: Verdict,
    reason: z.string(),
    /** 0–1; null where the kind has none for a claim, of an inference, and of what does not stand. */
    confidence: z.number().nullable(),
    citations: z.array(z.int()),
  }),
  /** The one on which the verdict rests first. */
  passages: z.array(EvidencePassage),
});
export type ClaimEvidence = z.infer<typeof ClaimEvidence>;
