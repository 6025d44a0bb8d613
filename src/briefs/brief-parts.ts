import type { Brief } from '../contracts/brief/brief';
import type { BriefMaterial } from '../contracts/brief/brief-material';
import type { BriefSettings } from '../contracts/brief/brief-settings';
import type { ReportJudge } from '../contracts/judge/judgement';
import type { SectionDraft } from '../contracts/report/draft';
import type { SinceLast } from '../contracts/run/since';
import type { BriefTemplate } from './template';

/** Everything that a run has when its brief is put together; one that ended early has less, and the brief says what is missing. */
export interface BriefParts {
  id: string;
  question: string;
  status: Brief['status'];
  /** Why the run ended early, as a sentence for the reader; null for a run that went to its end. */
  endedEarly: string | null;
  /** What a pass could not do, and what stands in its place: a sentence for the reader each. */
  shortfalls: string[];
  settings: BriefSettings;
  template: BriefTemplate;
  material: BriefMaterial | null;
  summaries: ReadonlyMap<string, string>;
  title: string;
  drafts: { partId: string; draft: SectionDraft }[];
  /** Null for a version that is not judged yet, and where none is. */
  judge: ReportJudge | null;
  since?: SinceLast | undefined;
  /** Those of the run; those of the material are in it. */
  warnings: Brief['warnings'];
  estimate?: Brief['estimate'];
  usage: Brief['usage'];
  timings: Brief['timings'];
  provenance: Brief['provenance'];
}
