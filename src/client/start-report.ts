import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { OutageSettings } from '../contracts/run/outages';
import { MAX_QUESTION_CHARS } from '../contracts/report/report-start';
import { ChosenRunId } from '../contracts/run/chosen-run-id';
import { traitsOf } from '../contracts/run/engines';
import { BudgetLimits } from '../contracts/run/run-input';
import { SynthesisSettings } from '../contracts/report/synthesis-settings';
import { type ReportRunInput } from '../contracts/report/report-run';
import { EngineName, type Warning } from '../contracts/run/run';
import type { ArtifactRef } from '../contracts/run/artifact';
import { toArtifactText } from '../core/run/json-artifact';
import { RUN_SHAPE } from '../core/run/run-shape';
import { importSources } from '../sources/import-sources';
import { stepVersions } from '../steps/step-versions';
import type { ContentStore } from '../stores/content-store';
import type { EventLog } from '../stores/event-log';
import { ColligateKind, ColligatePass, ColligateStatus } from '../temporal/search-attributes';
import { findRun, firstMemo } from './described-run';
import { readingsOf } from './given-sources';
import { joinRun } from './join-run';
import { newRunId } from './new-run-id';
import { InvalidRequestError, RunClosedError } from './run-errors';
import type { SettledRequest } from './settled-request';
import { startSummary } from './start-summary';

/** The workflow's name, which histories carry. */
export const REPORT_WORKFLOW = 'report';

interface StartOptions {
  client: Client;
  taskQueue: string;
  content: ContentStore;
  events: EventLog;
}

interface StoredSources {
  manifestRef: ArtifactRef;
  count: number;
  chars?: number;
  warnings: Warning[];
}

/** What was started, or null sources where a run of the id is running already. */
export interface Started {
  runId: string;
  attached: boolean;
  sources: number | null;
  warnings: Warning[];
}

/**
 * Checks everything first, then stores the sources, then starts the run (decisions 1 and 6). What an ended run of the id
 * has left stays until the new one has started.
 */
export function startReport(options: StartOptions, request: SettledRequest): Promise<Started> {
  return startOver(options, request, null);
}

/** Where sources are stored already, those are taken: records can be read only once. */
async function startOver(
  options: StartOptions,
  request: SettledRequest,
  stored: StoredSources | null,
): Promise<Started> {
  const { client, events } = options;
  const startedAt = new Date();
  const asOf = request.asOf ?? startedAt.toISOString();
  const runId = request.runId ?? newRunId('report', startedAt);
  const problems = problemsOf(request, runId, asOf);
  if (problems.length > 0) throw new InvalidRequestError(problems);

  const [firstEvent] = await events.read(runId, { limit: 1 });
  const before = await findRun(options, runId);
  if (before?.isRunning) {
    const wanted = {
      ...settingsOf(request),
      ...(await storedRules(options, request, runId)),
      ...(request.asOf === undefined ? {} : { asOf }),
    };
    const sources = stored ?? request.sources;
    const warnings = await joinRun(options, before, { ...request, sources }, wanted);
    return { runId, attached: true, sources: null, warnings };
  }
  if (before !== null && request.again !== true) throw new RunClosedError(runId);

  const sources = stored ?? (await storedSources(options, request, runId));
  const { manifestRef, count, chars, warnings } = sources;
  // Where the log has begun since it was looked at, somebody else has started the id: that run is looked at again.
  const [firstNow] = await events.read(runId, { limit: 1 });
  if (firstNow !== undefined && firstNow.at !== firstEvent?.at)
    return startOver(options, { ...request, runId }, sources);
  const question = request.question.trim();
  const input: ReportRunInput = {
    runId,
    kind: 'report',
    question,
    manifestRef,
    sourceCount: count,
    ...(chars === undefined ? {} : { sourceChars: chars }),
    asOf,
    ...settingsOf(request),
    stepVersions,
    ...(await storedRules(options, request, runId)),
    shape: RUN_SHAPE,
    ...(request.outages === undefined ? {} : { outages: request.outages }),
    searchAttributes: request.searchAttributes,
  };
  try {
    await client.workflow.start(REPORT_WORKFLOW, {
      workflowId: runId,
      taskQueue: options.taskQueue,
      args: [input],
      workflowIdConflictPolicy: 'FAIL',
      // A closed run of the id is one that is to be replaced, or one that the server has yet to delete.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      memo: { ...firstMemo('report', question, startedAt, count) },
      staticSummary: startSummary(question),
      staticDetails: detailsOf(input),
      ...(request.searchAttributes ? { typedSearchAttributes: firstSearchAttributes() } : {}),
    });
  } catch (error) {
    // Somebody else has started it in the meantime: that run is looked at.
    if (error instanceof WorkflowExecutionAlreadyStartedError)
      return startOver(options, { ...request, runId }, sources);
    throw error;
  }
  // The run does it too; whoever follows it now is not to be told of the run before.
  if (firstEvent !== undefined) await events.clearRun(runId, { begunAt: firstEvent.at });
  return { runId, attached: false, sources: count, warnings };
}

/** What a request sets, beside what it is about. */
function settingsOf(
  request: SettledRequest,
): Pick<ReportRunInput, 'engine' | 'models' | 'synthesis' | 'budget'> {
  const { engine, models = null, synthesis, budget } = request;
  return { engine, models: traitsOf(engine).asksModels ? models : null, synthesis, budget };
}

async function storedSources(
  { content }: StartOptions,
  { sources }: SettledRequest,
  runId: string,
): Promise<StoredSources> {
  if ('manifestRef' in sources) return { ...sources, warnings: [] };
  const { skipInvalid = false } = sources;
  return importSources({ runId, readings: readingsOf(sources), content, skipInvalid });
}

/** Rules on quality may be many; the run is told where they are. */
async function storedRules(
  { content }: StartOptions,
  { synthesis }: SettledRequest,
  runId: string,
): Promise<Pick<ReportRunInput, 'synthesis' | 'qualityRulesRef'>> {
  if (synthesis.sourceQualityRules.length === 0) return { synthesis };
  const qualityRulesRef = await content.store(runId, toArtifactText(synthesis.sourceQualityRules));
  return { synthesis: { ...synthesis, sourceQualityRules: [] }, qualityRulesRef };
}

/** Everything that is wrong with a request, as sentences. */
function problemsOf(request: SettledRequest, runId: string, asOf: string): string[] {
  const problems: string[] = [];
  const { question, sources } = request;
  if (question.trim() === '') problems.push('question is empty: it must ask something');
  if (question.length > MAX_QUESTION_CHARS) {
    problems.push(`question has ${question.length} characters; at most ${MAX_QUESTION_CHARS} are allowed`);
  }
  const engine = EngineName.safeParse(request.engine);
  if (engine.success && traitsOf(engine.data).asksModels && (request.models ?? null) === null)
    problems.push(`models are missing: the ${engine.data} engine needs one for each role`);
  if (Number.isNaN(Date.parse(asOf))) problems.push(`asOf is "${asOf}"; an ISO 8601 time is allowed`);
  if ('paths' in sources && sources.paths.length === 0)
    problems.push('sources has no path; at least one is needed');
  if ('manifestRef' in sources && sources.count < 1)
    problems.push('sources has no source; at least one is needed');
  for (const [name, parsed] of [
    ['engine', engine],
    ['runId', ChosenRunId.safeParse(runId)],
    ['synthesis', SynthesisSettings.safeParse(request.synthesis)],
    ['budget', BudgetLimits.safeParse(request.budget)],
    ['outages', OutageSettings.optional().safeParse(request.outages)],
  ] as const) {
    for (const issue of parsed.error?.issues ?? []) {
      problems.push(`${[name, ...issue.path].join('.')}: ${issue.message}`);
    }
  }
  return problems;
}

function firstSearchAttributes(): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: ColligateKind, value: 'report' },
    { key: ColligateStatus, value: 'queued' },
    { key: ColligatePass, value: 0 },
  ]);
}

/** What the Web UI shows of a run beside its question, in Markdown. */
function detailsOf({ runId, sourceCount, engine }: ReportRunInput): string {
  const sources = sourceCount === 1 ? '1 source' : `${sourceCount} sources`;
  return `${sources} · engine \`${engine}\`\n\nThe report, when there is one: \`colligate show ${runId}\``;
}
