import type { ReportFrame, SectionDraft } from '../../contracts/report/draft';
import type { Conflict, Finding, Gap } from '../../contracts/report/finding';
import type { Outline } from '../../contracts/report/outline';
import type { Report } from '../../contracts/report/report';
import type { RunStatus } from '../../contracts/run/run';
import type { SearchAccount } from '../../contracts/run/search';
import type { SinceLast } from '../../contracts/run/since';
import type { SynthesisSettings } from '../../contracts/report/synthesis-settings';
import type { SourceCatalogue } from '../../contracts/source/source';

/** The sources of a report: all of them, or those that it may name with the `count` of all. */
type ReportSources = SourceCatalogue & { count?: number };

/**
 * Everything that a run has when its report is put together. A run that ended early has less: an absent draft, outline
 * or catalogue is `null` or missing from its list, and the report says what is missing.
 */
export interface ReportParts {
  id: string;
  question: string;
  status: RunStatus;
  /** Why the run ended early, as a sentence for the reader; null for a run that went to its end. */
  endedEarly: string | null;
  /** What a pass could not do, and what stands in its place: a sentence for the reader each. */
  shortfalls: string[];
  /** Whether all sections were read and nothing was found that answers; an outline may say so as well. */
  noAnswer?: boolean | undefined;
  synthesis: SynthesisSettings;
  sourcesGiven: number;
  catalogue: ReportSources | null;
  outline: Outline | null;
  findings: { sectionId: string; findings: Finding[] }[];
  conflicts: Conflict[];
  gaps: Gap[];
  drafts: { sectionId: string; draft: SectionDraft }[];
  frame: ReportFrame | null;
  /**
   * Set where drafts and frame are a model's whole text, whose own sections stand for those of the outline: the outline as it was
   * planned, the gaps that the text tells itself, and whether a critic has answered.
   */
  text?: { planned: Outline; gaps: string[]; isChecked: boolean } | undefined;
  readInFull: string[];
  retrievals: Report['sources']['retrievals'];
  warnings: Report['warnings'];
  estimate?: Report['estimate'];
  usage: Report['usage'];
  timings: Report['timings'];
  provenance: Report['provenance'];
  /** Null where it was not, or not yet, judged. */
  judge: Report['judge'];
  /** What was searched for, and what came of it; null or absent where all sources were given. */
  search?: SearchAccount | null | undefined;
  since?: SinceLast | undefined;
}
