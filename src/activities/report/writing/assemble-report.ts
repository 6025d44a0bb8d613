import type { JudgedVersion } from '../../../contracts/judge/judgement';
import { Report } from '../../../contracts/report/report';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { RunOutcome, RunStatus } from '../../../contracts/run/run';
import type { RunBefore } from '../../../contracts/run/since';
import { assembleReport as assemble } from '../../../core/report/assemble-report';
import type { ReportParts } from '../../../core/report/report-parts';
import { eventKey } from '../../../core/run/event-key';
import { SearchAccount } from '../../../contracts/run/search';
import { readIfAny, storeArtifact } from '../../shared/artifacts';
import { howJudged } from '../../shared/judge/judge-version';
import type { ActivityPorts, ReportFacts } from '../../shared/ports';
import { sinceBefore } from '../../shared/since-before';
import { openSectionStream } from '../../shared/section-stream';
import { SECTION_WRITER } from './write-section';
import { readWrittenParts, type WrittenParts } from './written-parts';
import { modelNames } from '../../../core/budget/model-names';
import { judge } from '../../../steps/judge/judge';
import { promptsUsed } from '../../shared/pinned-prompts';
import { REPORT_STEPS } from '../admit-run';

export interface AssembleReportInput extends WrittenParts {
  status: RunStatus;
  /** Why the run ended early, as a sentence for the reader; null for a run that went to its end. */
  endedEarly: string | null;
  /** What a pass could not do, and what stands in its place: a sentence for the reader each. */
  shortfalls: string[];
  noAnswer?: boolean;
  asOf: string;
  usage: Report['usage'];
  estimate?: Report['estimate'];
  timings: Report['timings'];
  /** Where it was judged: what was said of the version that is kept, and all that there are. */
  judge?: { judgementRef: ArtifactRef; version: number; versions: JudgedVersion[] };
  since?: RunBefore;
  searchRef?: ArtifactRef;
}

export interface AssembledReport extends RunOutcome {
  citations: number;
}

export async function assembleReport(
  ports: ActivityPorts,
  input: AssembleReportInput,
): Promise<AssembledReport> {
  const { run, status, endedEarly, shortfalls, noAnswer, estimate, usage, timings } = input;
  const { content, events } = ports;
  const parts = await readWrittenParts(ports, input);
  const judge = input.judge === undefined ? null : await howJudged(content, input.judge);
  const traceId = await ports.traces.idOf(run);
  const runtime = { ...ports.runtime, ...(traceId === null ? {} : { traceId }) };
  const whole = {
    id: run.runId,
    status,
    endedEarly,
    shortfalls,
    noAnswer,
    estimate,
    usage,
    timings,
    judge,
    search: await readIfAny(content, input.searchRef ?? null, SearchAccount),
    ...parts,
    provenance: await reportProvenance(ports, input, { runtime, isJudged: judge !== null }),
  };
  // What changed is told of the report as it stands without that.
  const since = await sinceBefore(content, input.since, {
    schema: Report,
    asReport: (before: Report) => before,
    manifestRef: input.manifestRef ?? undefined,
    after: () => assemble(whole).report,
  });
  const { report, markdown } = assemble({ ...whole, since });
  const reportRef = await storeArtifact(content, run.runId, report);
  const markdownRef = await content.store(run.runId, markdown);
  if (judge !== null && judge.version !== judge.versions.at(-1)?.n) await tellKept(ports, run.runId, parts);
  const { uniqueCitations: total, coverage } = report.citationReport;
  await events.appendOnce(run.runId, eventKey({ pass: 4, step: 'assemble', type: 'citation-stats' }), {
    type: 'citation-stats',
    payload: { total, coverage },
  });
  await events.appendOnce(run.runId, eventKey({ pass: 4, step: 'assemble', type: 'run-completed' }), {
    type: 'run-completed',
    payload: { status, reportRef, markdownRef },
  });
  return { runId: run.runId, status, reportRef, markdownRef, citations: total };
}

/** The log ends with the text that the report has, where a later version was told and an earlier one is kept. */
async function tellKept(
  { events }: ActivityPorts,
  runId: string,
  { drafts }: Pick<ReportParts, 'drafts'>,
): Promise<void> {
  for (const { sectionId, draft } of drafts) {
    const stream = await openSectionStream(events, runId, sectionId, SECTION_WRITER);
    await stream.finish(draft.markdown);
  }
}

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
