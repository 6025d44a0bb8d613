import { z } from 'zod';
import { JudgeSettings } from '../judge/rubric';
import { ArtifactRef } from '../run/artifact';
import { RunId } from '../run/run';
import { RunSearch } from '../run/search';
import { RunConditions, RunEngine, RunMaterial } from '../run/run-input';
import { ApprovalSettings } from '../steering/messages';
import { SynthesisSettings } from './synthesis-settings';

/** The workflow's input. Everything that affects the result is in it, so that a worker's own settings do not. */
export const ReportRunInput = z.object({
  runId: RunId,
  kind: z.literal('report'),
  question: z.string(),
  ...RunMaterial.shape,
  ...RunEngine.shape,
  synthesis: SynthesisSettings,
  /** Where the rules on quality are, if the settings have none: there may be many, and one activity alone needs them. */
  qualityRulesRef: ArtifactRef.optional(),
  /** Absent in runs from before it was a part of the input; they are not judged. */
  judge: JudgeSettings.optional(),
  /** Where it is present, the run waits for somebody to approve of its outline. */
  approval: ApprovalSettings.optional(),
  /** Where the run looks for sources itself; absent where all are given. */
  search: RunSearch.optional(),
  ...RunConditions.shape,
});
export type ReportRunInput = z.infer<typeof ReportRunInput>;
