import { WorkflowExecutionAlreadyStartedError, type WorkflowStartOptions } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { limitProblem, type LimitProblem } from '../contracts/budget';
import { capabilitiesOf } from '../contracts/pipeline';
import { ChosenRunId, EngineName, OutageSettings, type RunKind, type Warning } from '../contracts/run';
import { RequestLimits, type RunEstimate, Webhook } from '../contracts/run-input';
import { initialMemo, type InputCounts, RUN_SHAPE, startSummary } from '../contracts/run-protocol';
import { JudgeSettings } from '../contracts/run-settings';
import { MAX_QUESTION_CHARS } from '../contracts/start';
import { count } from '../contracts/wording';
import { formatValue } from '../lib/json';
import { schemaProblemTexts } from '../lib/validation';
import type { Pages } from '../sources/pages';
import { stepVersions } from '../steps/registry';
import { artifactRef, type ContentStore } from '../stores/content-store';
import { ColligateKind, ColligatePass, ColligateStatus } from '../workflows/search-attributes';
import {
  InvalidRequestError,
  kindInWords,
  LimitTooSmallError,
  RunClosedError,
  RunDiffersError,
} from './client-errors';
import { type DescribedRun, findRun, type ImportRecords, newRunId, type StartRecords } from './run-records';
import type {
  AnswerRequest,
  BriefRequest,
  CheckedRequest,
  CommonSettings,
  ReportRequest,
  RunDefinition,
  RunRequest,
  StartInput,
  StartResult,
  StoredMaterial,
} from './run-requests';

export interface PlannedRun extends Omit<StartResult, 'attached'> {
  runId: string;
  /** Null if a run of the id is running. */
  start: (WorkflowStartOptions & { args: [StartInput] }) | null;
  /**
   * The earlier run of the id: the running one if `start` is null, else the closed one that the new run replaces.
   * Null if there is none.
   */
  before: DescribedRun | null;
  begunAt: string | undefined;
}

/**
 * Attaches to a running run with the same id, or stores the input and starts a run. A closed run with the id is
 * replaced if `again` is set; its result stays until the new run has started. Rejects with `InvalidRequestError`,
 * `RunClosedError`, `RunDiffersError`, `LimitTooSmallError` and the errors of the kind's `read`.
 */
export async function startRun<
  Request extends RunRequest,
  Given,
  Settings extends object,
  Material extends object,
>(
  records: StartRecords,
  recipe: RunDefinition<Request, Given, Settings, Material>,
  request: Request,
): Promise<StartResult & { runId: string }> {
  const { client, events } = records;
  const plan = await createRunPlanner(records, recipe, request);
  for (;;) {
    const { runId, start, begunAt, ...told } = await plan();
    const { sources, warnings, estimate } = told;
    if (start === null) return { runId, attached: true, sources, warnings, estimate };
    try {
      await client.workflow.start(recipe.kind, {
        ...start,
        workflowIdConflictPolicy: 'FAIL',
        // The server may still have the closed run of the id, which the new run replaces.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      });
    } catch (error) {
      // Another caller has started it meanwhile: look that run up.
      if (error instanceof WorkflowExecutionAlreadyStartedError) continue;
      throw error;
    }
    // The workflow clears the log too, but later. Until then a follower would see the events of the earlier run.
    if (begunAt !== undefined) await events.clearRun(runId, { begunAt });
    return { runId, attached: false, sources, warnings, estimate };
  }
}

/** Validates everything that needs no server. The returned function looks up the current state and may be called again. */
export async function createRunPlanner<
  Request extends RunRequest,
  Given,
  Settings extends object,
  Material extends object,
>(
  records: StartRecords,
  recipe: RunDefinition<Request, Given, Settings, Material>,
  request: Request,
): Promise<() => Promise<PlannedRun>> {
  const { content, events, taskQueue } = records;
  const { kind } = recipe;
  const now = new Date();
  const givenId = recipe.idOf(request);
  const checked = await checkRequest(recipe, request, givenId ?? newRunId(kind, now), now);
  const { runId, question, asOf } = checked;
  const common = commonSettings(request);
  let stored: Promise<StoredMaterial<Material>> | null = null;
  // A new id is free.
  let mayBeTaken = givenId !== undefined;

  const firstEvent = async (): Promise<string | undefined> =>
    mayBeTaken ? (await events.read(runId, { limit: 1 }))[0]?.at : undefined;

  /** The input of the running run stays. A request with the same question attaches to it. */
  function join(running: DescribedRun): PlannedRun {
    if (running.kind !== kind) throw new RunDiffersError(runId, [`it is ${kindInWords(running.kind)}`]);
    const asks = running.memo.question.trim();
    if (running.unreadable === null && asks !== question)
      throw new RunDiffersError(runId, [`its question is “${asks}”`]);
    const none = { sources: null, warnings: [], estimate: null };
    return { runId, start: null, before: running, begunAt: undefined, ...none };
  }

  async function plan(): Promise<PlannedRun> {
    const begunAt = await firstEvent();
    const before = mayBeTaken ? await findRun(records, runId) : null;
    if (before?.isRunning) return join(before);
    if (before !== null && request.again !== true) throw new RunClosedError(runId);
    stored ??= recipe.store(records, runId, checked);
    const { input: material, warnings, ...counts } = await stored;
    // The log has begun meanwhile, so another caller has started the id: look that run up.
    const nowAt = await firstEvent();
    if (nowAt !== undefined && nowAt !== begunAt) return plan();
    const settings = await recipe.settings(content, runId, request);
    const estimate = await estimateStart({ content, recipe, common, question, settings, material });
    const limit = estimate === null ? null : limitProblem(estimate, common.budget, { kind });
    if (estimate !== null && limit?.kind === 'too-small') {
      // The content of an ended run of the id stays.
      if (before === null && begunAt === undefined) await content.clearRun(runId);
      throw new LimitTooSmallError(kind, estimate, common.budget);
    }
    const { outages, owner, searchAttributes = false, webhook } = request;
    const input = recipe.input(
      {
        ...common,
        runId,
        question,
        asOf,
        stepVersions,
        shape: RUN_SHAPE,
        ...(outages === undefined ? {} : { outages }),
        ...(webhook === undefined ? {} : { webhook }),
        searchAttributes,
        ...(estimate === null ? {} : { estimate }),
      },
      settings,
      material,
    );
    mayBeTaken = true;
    const start = startOptions({ kind, taskQueue, startedAt: new Date(), counts, input, owner });
    const { sources } = counts;
    return {
      runId,
      start,
      before,
      begunAt,
      sources,
      estimate,
      warnings: [...warnings, ...limitWarnings(limit)],
    };
  }
  return plan;
}

/** Throws `InvalidRequestError` with all problems, then reads the kind's own input. */
export async function checkRequest<Request extends RunRequest, Given>(
  recipe: RunDefinition<Request, Given, object, object>,
  request: Request,
  runId: string,
  now: Date,
): Promise<CheckedRequest<Request, Given>> {
  const asOf = request.asOf ?? now.toISOString();
  const problems = requestProblems(recipe, request, { runId, asOf });
  if (problems.length > 0) throw new InvalidRequestError(problems);
  const question = recipe.asked(request).question?.trim() ?? '';
  return { request, given: await recipe.read(request), runId, question, asOf };
}

export function commonSettings({
  engine = 'extractive',
  models = null,
  budget = {},
}: RunRequest): CommonSettings {
  return {
    engine,
    models: capabilitiesOf(engine).asksModels ? models : null,
    budget,
  };
}

/** The caller sets the workflow id policies. */
function startOptions({
  kind,
  taskQueue,
  startedAt,
  counts,
  input,
  owner,
}: {
  kind: RunKind;
  taskQueue: string;
  startedAt: Date;
  counts: InputCounts;
  input: StartInput;
  owner: string | undefined;
}): WorkflowStartOptions & { args: [StartInput] } {
  const { runId, question, engine, searchAttributes } = input;
  const given = [
    ...(counts.subtopics === undefined ? [] : [count(counts.subtopics, 'subtopic')]),
    count(counts.sources, 'source'),
  ].join(', ');
  return {
    workflowId: runId,
    taskQueue,
    args: [input],
    memo: {
      ...initialMemo(kind, question, startedAt, counts),
      ...(owner === undefined ? {} : { owner }),
    },
    staticSummary: startSummary(question),
    staticDetails: `${given} · engine \`${engine}\`\n\nThe ${kind}, when there is one: \`colligate show ${runId}\``,
    ...(searchAttributes ? { typedSearchAttributes: initialSearchAttributes(kind) } : {}),
  };
}

function initialSearchAttributes(kind: RunKind): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: ColligateKind, value: kind },
    { key: ColligateStatus, value: 'queued' },
    { key: ColligatePass, value: 0 },
  ]);
}

/** All problems as sentences. Missing values have defaults. */
function requestProblems<Request extends RunRequest>(
  recipe: RunDefinition<Request, unknown, object, object>,
  request: Request,
  { runId, asOf }: { runId: string; asOf: string },
): string[] {
  const { engine = 'extractive', models = null, judge, budget, outages, webhook } = request;
  const problems = questionProblems(recipe.asked(request));
  const named = EngineName.safeParse(engine);
  if (named.success && capabilitiesOf(named.data).asksModels && models === null)
    problems.push(`models are missing: the ${named.data} engine needs one for each role`);
  if (Number.isNaN(Date.parse(asOf)))
    problems.push(`asOf is ${formatValue(asOf)}; an ISO 8601 time is allowed`);
  return [
    ...problems,
    ...schemaProblemTexts([
      ['engine', EngineName, engine],
      [recipe.idName, ChosenRunId, runId],
      ['budget', RequestLimits.optional(), budget],
      ['outages', OutageSettings.optional(), outages],
      ['webhook', Webhook.optional(), webhook],
    ]),
    ...recipe.problems(request),
    ...schemaProblemTexts([['judge', JudgeSettings.optional(), judge]]),
  ];
}

function questionProblems({
  question,
  name,
  missing,
}: ReturnType<RunDefinition<RunRequest, unknown, object, object>['asked']>): string[] {
  if (question === undefined) return [missing];
  if (question.trim() === '') return [`${name} is empty: it must ask something`];
  return question.length > MAX_QUESTION_CHARS
    ? [`question has ${question.length} characters; at most ${MAX_QUESTION_CHARS} are allowed`]
    : [];
}

/** Null if no model is called, or a search finds the sources. */
async function estimateStart<Settings extends object, Material extends object>({
  content,
  recipe,
  common: { models },
  question,
  settings,
  material,
}: {
  content: Pick<ContentStore, 'retrieve'>;
  recipe: Pick<RunDefinition<never, never, Settings, Material>, 'estimate'>;
  common: CommonSettings;
  question: string;
  settings: Settings;
  material: Material;
}): Promise<RunEstimate | null> {
  return models ? recipe.estimate(content, { question, models }, settings, material) : null;
}

function limitWarnings(problem: LimitProblem | null): Warning[] {
  return problem?.kind === 'short' ? [{ code: 'limit-short', message: problem.message }] : [];
}

export interface EstimatedRun {
  kind: RunKind;
  /** Null if no model is called, or the size of the sources is unknown because a search finds them. */
  estimate: RunEstimate | null;
  asksModels: boolean;
  sources: number | null;
  warnings: Warning[];
}

export type AskedEstimate =
  | { kind: 'report'; request: ReportRequest }
  | { kind: 'answer'; request: AnswerRequest }
  | { kind: 'brief'; request: BriefRequest };

export async function estimateAnyRequest(
  records: ImportRecords,
  asked: AskedEstimate,
): Promise<EstimatedRun> {
  switch (asked.kind) {
    case 'report':
      return estimateRequest(records, (await import('./start-report.js')).REPORT_DEFINITION, asked.request);
    case 'answer':
      return estimateRequest(records, (await import('./start-answer.js')).ANSWER_DEFINITION, asked.request);
    case 'brief':
      return estimateRequest(records, (await import('./start-report.js')).BRIEF_DEFINITION, asked.request);
  }
}

/** Reads the sources and stores nothing. Rejects like a start. */
async function estimateRequest<
  Request extends RunRequest,
  Given,
  Settings extends object,
  Material extends object,
>(
  records: ImportRecords,
  recipe: RunDefinition<Request, Given, Settings, Material>,
  request: Request,
): Promise<EstimatedRun> {
  const now = new Date();
  const id = newRunId('import', now);
  const checked = await checkRequest(recipe, request, id, now);
  const common = commonSettings(request);
  const content = withoutSourceTexts(records.content);
  const pages = records.pages === undefined ? {} : { pages: discardPages(records.pages) };
  const {
    input: material,
    sources,
    warnings,
  } = await recipe.store({ ...records, ...pages, content }, id, checked);
  const settings = await recipe.settings(content, id, request);
  const { question } = checked;
  const estimate = await estimateStart({ content, recipe, common, question, settings, material });
  const problem = estimate === null ? null : limitProblem(estimate, common.budget, { kind: recipe.kind });
  if (estimate !== null && problem?.kind === 'too-small')
    throw new LimitTooSmallError(recipe.kind, estimate, common.budget);
  return {
    kind: recipe.kind,
    estimate,
    asksModels: common.models !== null,
    sources,
    warnings: [...warnings, ...limitWarnings(problem)],
  };
}

/** Keeps lists in memory and drops the texts of sources, of which only the size is needed. */
function withoutSourceTexts(content: ContentStore): ContentStore {
  const kept = new Map<string, string>();
  return {
    store(_holder, text) {
      const ref = artifactRef(text);
      kept.set(ref, text);
      return Promise.resolve(ref);
    },
    storeBatch: (_holder, texts) => Promise.resolve(texts.map((text) => artifactRef(text))),
    retrieve: (ref) => (kept.has(ref) ? Promise.resolve(kept.get(ref) ?? null) : content.retrieve(ref)),
    retrieveBatch: (refs) => content.retrieveBatch(refs),
    has: (ref) => (kept.has(ref) ? Promise.resolve(true) : content.has(ref)),
    hold: () => Promise.resolve([]),
    statistics: () => content.statistics(),
    clearRun: () => Promise.resolve(0),
  };
}

function discardPages(pages: Pages): Pages {
  return {
    open(importing) {
      const opened = pages.open(importing);
      return { ...opened, handOver: () => opened.takeBack() };
    },
  };
}
