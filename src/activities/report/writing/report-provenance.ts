import type { Report } from '../../../contracts/report/report';
import { modelNames } from '../../../core/budget/model-names';
import { judge } from '../../../steps/judge/judge';
import { promptsUsed } from '../../shared/pinned-prompts';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { REPORT_STEPS } from '../report-steps';

/** Who made a report, with what; the judge's prompt is told of where it was judged. */
export async function reportProvenance(
  ports: Pick<ActivityPorts, 'content'>,
  { run, asOf }: { run: ReportFacts; asOf: string },
  { runtime, isJudged }: Pick<Report['provenance'], 'runtime'> & { isJudged: boolean },
): Promise<Report['provenance']> {
  const steps = REPORT_STEPS.filter((name) => isJudged || name !== judge.name);
  return {
    engine: run.engine,
    models: run.models ? modelNames(run.models) : {},
    steps: run.stepVersions,
    ...(await promptsUsed(ports, run, steps)),
    asOf,
    runtime,
  };
}
