import { TypedSearchAttributes } from '@temporalio/common';
import { WorkflowExecutionAlreadyStartedError, type WorkflowStartOptions } from '@temporalio/client';
import type { RunKind } from '../../contracts/kinds';
import { traitsOf } from '../../contracts/run/engines';
import { firstMemo, type GivenCounts } from '../../core/run/first-memo';
import { RUN_SHAPE } from '../../core/run/run-shape';
import { startSummary } from '../../core/run/start-summary';
import { count } from '../../core/writing/count';
import { stepVersions } from '../../steps/step-versions';
import { ColligateKind, ColligatePass, ColligateStatus } from '../../temporal/search-attributes';
import { findRun, type DescribedRun, type StartRecords } from '../described-run';
import type { CheckedRequest, CommonSettings, Recipe, StartedInput, StoredMaterial } from '../kinds/recipe';
import { newRunId } from '../new-run-id';
import {
  InvalidRequestError,
  kindInWords,
  LimitTooSmallError,
  RunClosedError,
  RunDiffersError,
} from '../run-errors';
import { limitProblem } from '../../core/budget/told-estimate';
import { estimateOfStart, limitWarnings } from './start-estimate';
import type { RunRequest, TakenUp } from '../run-request';
import { JudgeSettings } from '../../contracts/judge/rubric';
import { MAX_QUESTION_CHARS } from '../../contracts/report/report-start';
import { ChosenRunId } from '../../contracts/run/chosen-run-id';
import { OutageSettings } from '../../contracts/run/outages';
import { AskedLimits } from '../../contracts/run/run-input';
import { EngineName } from '../../contracts/run/run';
import { Webhook } from '../../contracts/run/webhook';
import { shapeProblems } from '../../core/shapes/shape-problems';
import { toldValue } from '../../core/values/told-value';

export interface PlannedRun extends Omit<TakenUp, 'attached'> {
  runId: string;
  /** What its workflow is started with; null where one is running. */
  start: (WorkflowStartOptions & { args: [StartedInput] }) | null;
  /** The ended run of the id, which the new one replaces, and when its log began. */
  before: DescribedRun | null;
  begunAt: string | undefined;
}

/**
 * Joins the running run of the id, refuses a closed one, or stores what the run is given and starts it (decisions 1 and 6). What an
 * ended run of the id has left stays until the new one has started. Rejects with `InvalidRequestError`, and as the kind's reading
 * does; nothing is stored then.
 */
export async function startRun<
  Request extends RunRequest,
  Given,
  Settings extends object,
  Material extends object,
>(
  records: StartRecords,
  recipe: Recipe<Request, Given, Settings, Material>,
  request: Request,
): Promise<TakenUp & { runId: string }> {
  const { client, events } = records;
  const plan = await runPlanner(records, recipe, request);
  for (;;) {
    const { runId, start, begunAt, ...told } = await plan();
    const { sources, warnings, estimate } = told;
    if (start === null) return { runId, attached: true, sources, warnings, estimate };
    try {
      await client.workflow.start(recipe.kind, {
        ...start,
        workflowIdConflictPolicy: 'FAIL',
        // A closed run of the id is one that is to be replaced, or one that the server has yet to delete.
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      });
    } catch (error) {
      // Somebody else has started it in the meantime: that run is looked at.
      if (error instanceof WorkflowExecutionAlreadyStartedError) continue;
      throw error;
    }
    // The run does it too; whoever follows it now is not to be told of the run before.
    if (begunAt !== undefined) await events.clearRun(runId, { begunAt });
    return { runId, attached: false, sources, warnings, estimate };
  }
}

/** Checks everything that can be checked without a server; what it gives looks how things stand, and may be asked again. */
export async function runPlanner<
  Request extends RunRequest,
  Given,
  Settings extends object,
  Material extends object,
>(
  records: StartRecords,
  recipe: Recipe<Request, Given, Settings, Material>,
  request: Request,
): Promise<() => Promise<PlannedRun>> {
  const { content, events, taskQueue } = records;
  const { kind } = recipe;
  const now = new Date();
  const givenId = recipe.idOf(request);
  const checked = await checkedRequest(recipe, request, givenId ?? newRunId(kind, now), now);
  const { runId, question, asOf } = checked;
  const common = commonSettings(request);
  let stored: Promise<StoredMaterial<Material>> | null = null;
  // An id that was made up now is nobody's.
  let mayBeTaken = givenId !== undefined;

  const firstEvent = async (): Promise<string | undefined> =>
    mayBeTaken ? (await events.read(runId, { limit: 1 }))[0]?.at : undefined;

  /** What a running run was started with holds: a request of the same question joins it. */
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
    // Where the log has begun since it was looked at, somebody else has started the id: that run is looked at again.
    const nowAt = await firstEvent();
    if (nowAt !== undefined && nowAt !== begunAt) return plan();
    const settings = await recipe.settings(content, runId, request);
    const estimate = await estimateOfStart({ content, recipe, common, question, settings, material });
    const limit = estimate === null ? null : limitProblem(estimate, common.budget, { kind });
    if (estimate !== null && limit?.kind === 'too-small') {
      // Of an ended run of the id everything stays.
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

/** Throws `InvalidRequestError` with everything that is wrong, then reads what the kind has read before a run is looked for. */
export async function checkedRequest<Request extends RunRequest, Given>(
  recipe: Recipe<Request, Given, object, object>,
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
    models: traitsOf(engine).asksModels ? models : null,
    budget,
  };
}

/** What a workflow of any kind is started with; what is to happen to others of its id is the caller's to say. */
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
  counts: GivenCounts;
  input: StartedInput;
  owner: string | undefined;
}): WorkflowStartOptions & { args: [StartedInput] } {
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
      ...firstMemo(kind, question, startedAt, counts),
      ...(owner === undefined ? {} : { owner }),
    },
    staticSummary: startSummary(question),
    staticDetails: `${given} · engine \`${engine}\`\n\nThe ${kind}, when there is one: \`colligate show ${runId}\``,
    ...(searchAttributes ? { typedSearchAttributes: firstSearchAttributes(kind) } : {}),
  };
}

function firstSearchAttributes(kind: RunKind): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: ColligateKind, value: kind },
    { key: ColligateStatus, value: 'queued' },
    { key: ColligatePass, value: 0 },
  ]);
}

/** Everything that is wrong with a request, as sentences: what, where, and what to do. What is absent has a default. */
function requestProblems<Request extends RunRequest>(
  recipe: Recipe<Request, unknown, object, object>,
  request: Request,
  { runId, asOf }: { runId: string; asOf: string },
): string[] {
  const { engine = 'extractive', models = null, judge, budget, outages, webhook } = request;
  const problems = questionProblems(recipe.asked(request));
  const named = EngineName.safeParse(engine);
  if (named.success && traitsOf(named.data).asksModels && models === null)
    problems.push(`models are missing: the ${named.data} engine needs one for each role`);
  if (Number.isNaN(Date.parse(asOf)))
    problems.push(`asOf is ${toldValue(asOf)}; an ISO 8601 time is allowed`);
  return [
    ...problems,
    ...shapeProblems([
      ['engine', EngineName, engine],
      [recipe.idName, ChosenRunId, runId],
      ['budget', AskedLimits.optional(), budget],
      ['outages', OutageSettings.optional(), outages],
      ['webhook', Webhook.optional(), webhook],
    ]),
    ...recipe.problems(request),
    ...shapeProblems([['judge', JudgeSettings.optional(), judge]]),
  ];
}

function questionProblems({
  question,
  name,
  missing,
}: ReturnType<Recipe<RunRequest, unknown, object, object>['asked']>): string[] {
  if (question === undefined) return [missing];
  if (question.trim() === '') return [`${name} is empty: it must ask something`];
  return question.length > MAX_QUESTION_CHARS
    ? [`question has ${question.length} characters; at most ${MAX_QUESTION_CHARS} are allowed`]
    : [];
}
