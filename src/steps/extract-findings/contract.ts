import { z } from 'zod';
import { SectionScope } from '../material/section-scope';
import { SectionFindings } from '../../contracts/report/finding';
import { WordCounts } from '../../contracts/report/word-counts';
import { SourceWindow } from '../../contracts/source/passage';

export const ExtractFindingsInput = z.object({
  question: z.string(),
  section: SectionScope,
  /** Sections that the same sources are read for in the same call; each finding belongs to one of all. */
  alsoFor: z.array(SectionScope).optional(),
  /** Most relevant first, or in the order of all sources. */
  sources: z.array(SourceWindow),
  /** How many findings are wanted where the material has them, for all sections together. */
  findings: z.object({ min: z.int().positive(), max: z.int().positive() }),
  /** How rare the question's words are in the whole texts of all sources. */
  counts: WordCounts.optional(),
});
export type ExtractFindingsInput = z.infer<typeof ExtractFindingsInput>;

export const ExtractFindingsOutput = SectionFindings.pick({ sectionId: true, findings: true, leftOut: true });
export type ExtractFindingsOutput = z.infer<typeof ExtractFindingsOutput>;
