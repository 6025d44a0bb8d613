import { randomBytes } from 'node:crypto';
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError as UnknownSchedule,
} from '@temporalio/client';
import type { ScheduledStart } from '../../contracts/schedule/scheduled-start';
import { scheduleLog } from '../../core/run/kept-names';
import { firingId } from '../../core/schedule/schedule-names';
import { startSummary } from '../../core/run/start-summary';
import type { ContentStore } from '../../stores/content-store';
import { InvalidRequestError } from '../run-errors';
import { type PlannedRun, absolute, NO_ID_YET, checkedFiles } from './planned-run';
import { ScheduleExistsError } from './schedule-errors';
import type { ScheduleMemo } from './schedule-memo';
import { scheduleProblems } from './schedule-problems';
import type { ScheduledRequest, ScheduleRequest, ScheduleTimes, ScheduledBrief } from './schedule-request';
import { policyOf, specOf } from './server-terms';
import { toArtifactText } from '../../core/run/json-artifact';
import { briefProblems } from '../brief/brief-problems';
import { briefSettings, givenSubtopics } from '../brief/start-brief';
import { answerProblems } from '../answer/answer-problems';
import type { AnswerRequest } from '../answer/answer-request';
import { answerInput, settledQuestion } from '../answer/plan-answer';
import { storeMaterial } from '../answer/store-material';
import { importSources } from '../../sources/import-sources';
import { readingsOf } from '../given-sources';
import type { ReportRequest } from '../report-request';
import type { RequestedSources } from '../requested-sources';
import { settledRequest } from '../settled-request';
import { reportProblems, reportSettings, storedRules } from '../start-report';

const A_DAY_MS = 86_400_000;

export interface ScheduleRecords {
  client: Client;
  taskQueue: string;
  content: ContentStore;
}

/** Checks everything first, then stores what its runs are given, then makes the schedule; what was stored is taken back where that fails. */
export async function createSchedule(records: ScheduleRecords, request: ScheduleRequest): Promise<void> {
  const { name, note, overlap = 'skip', catchUpMs = A_DAY_MS, jitterMs = 0 } = request;
  const { client, content } = records;
  const problems = scheduleProblems(request);
  if (problems.length > 0) throw new InvalidRequestError(problems);
  const planned = await planOf(request.run);
  if (await exists(client, name)) throw new ScheduleExistsError(name);
  const times = settledTimes(request.times);
  const { kind, question, engine, paths } = planned;
  // Another schedule of the name, before or after this one, has nothing to do with it.
  const keptAs = scheduleLog(name, randomBytes(4).toString('hex'));
  try {
    const start: ScheduledStart = {
      schedule: name,
      keptAs,
      question,
      engine,
      ...(await planned.store(content, keptAs)),
    };
    const memo: ScheduleMemo = { kind, question, engine, paths, times, keptAs };
    await client.schedule.create({
      scheduleId: name,
      spec: specOf(times, jitterMs),
      action: {
        type: 'startWorkflow',
        workflowType: 'scheduled',
        workflowId: firingId(name),
        taskQueue: records.taskQueue,
        args: [start],
        staticSummary: startSummary(question),
        staticDetails: `A ${kind} of schedule \`${name}\``,
      },
      // A run that fails is no reason to stop: the next one may be better off.
      policies: { overlap: policyOf(overlap), catchupWindow: catchUpMs, pauseOnFailure: false },
      memo: { ...memo },
      state: { ...(note === undefined ? {} : { note }) },
    });
  } catch (error) {
    await content.clearRun(keptAs);
    throw error instanceof ScheduleAlreadyRunning ? new ScheduleExistsError(name) : error;
  }
}

function planOf(run: ScheduledRequest): Promise<PlannedRun> {
  if ('report' in run) return planReport(run.report);
  return 'answer' in run ? planScheduledAnswer(run.answer) : planBrief(run.brief);
}

function settledTimes(times: ScheduleTimes): ScheduleMemo['times'] {
  return 'everyMs' in times ? times : { cron: times.cron.trim(), timeZone: times.timeZone ?? 'UTC' };
}

async function exists(client: Client, name: string): Promise<boolean> {
  try {
    await client.schedule.getHandle(name).describe();
    return true;
  } catch (error) {
    if (error instanceof UnknownSchedule) return false;
    throw error;
  }
}

/** Rejects as `startBrief` does. */
async function planBrief({ besides = [], ...request }: ScheduledBrief): Promise<PlannedRun> {
  const { asOf, outages, searchAttributes = false, subtopics } = request;
  const problems = briefProblems(request, NO_ID_YET, asOf ?? new Date().toISOString());
  if (problems.length > 0) throw new InvalidRequestError(problems);
  await givenSubtopics(subtopics);
  const paths = 'paths' in subtopics ? absolute(subtopics.paths) : [];
  const fixed = 'paths' in subtopics ? besides : [...subtopics, ...besides];
  const question = request.question.trim();
  const settings = briefSettings(request);
  return {
    kind: 'brief',
    question,
    engine: settings.engine,
    paths,
    async store(content, keptAs) {
      const stored =
        fixed.length === 0 ? {} : { subtopicsRef: await content.store(keptAs, toArtifactText(fixed)) };
      const input = {
        question,
        ...settings,
        searchAttributes,
        ...(outages === undefined ? {} : { outages }),
        ...(asOf === undefined ? {} : { asOf }),
      };
      return { run: { kind: 'brief', input }, sources: null, subtopics: { paths, ...stored } };
    },
  };
}

/** An answer of a schedule. Rejects as `startAnswer` does. */
async function planScheduledAnswer(request: AnswerRequest): Promise<PlannedRun> {
  const { asOf, sources, engine = 'extractive' } = request;
  const problems = [
    ...answerProblems(request, NO_ID_YET, asOf ?? new Date().toISOString()),
    ...(sources !== undefined && 'paths' in sources && request.documents !== undefined
      ? ['documents and paths are both given: a schedule reads paths when it fires, so give one of them']
      : []),
  ];
  if (problems.length > 0) throw new InvalidRequestError(problems);
  const { question, history } = settledQuestion(request);
  const paths = sources !== undefined && 'paths' in sources ? absolute(sources.paths) : [];
  const found = paths.length === 0 ? null : await checkedFiles(paths, sources?.skipInvalid);
  return {
    kind: 'answer',
    question,
    engine,
    paths,
    async store(content, keptAs) {
      const { sources: given, ...rest } = request;
      const kept = found === null && given !== undefined ? { ...rest, sources: given } : rest;
      const { input } = await storeMaterial(content, kept, { requestId: keptAs, history });
      const {
        runId: _id,
        shape: _shape,
        stepVersions: _versions,
        ...fixed
      } = answerInput(request, { requestId: NO_ID_YET, question });
      return {
        run: { kind: 'answer', input: { ...fixed, ...input, ...(asOf === undefined ? {} : { asOf }) } },
        sources: found,
        subtopics: null,
      };
    },
  };
}

/** A report of a schedule. Rejects as `startReport` does. */
async function planReport(given: ReportRequest): Promise<PlannedRun> {
  const request = settledRequest(given);
  const { sources, outages, asOf, engine, searchAttributes } = request;
  const problems = reportProblems(request, NO_ID_YET, asOf ?? new Date().toISOString());
  if (problems.length > 0) throw new InvalidRequestError(problems);
  const paths = 'paths' in sources ? absolute(sources.paths) : [];
  const found = 'paths' in sources ? await checkedFiles(paths, sources.skipInvalid) : null;
  const question = request.question.trim();
  return {
    kind: 'report',
    question,
    engine,
    paths,
    async store(content, keptAs) {
      const input = {
        question,
        ...reportSettings(request),
        searchAttributes,
        ...(await storedRules({ content }, request, keptAs)),
        ...(outages === undefined ? {} : { outages }),
        ...(asOf === undefined ? {} : { asOf }),
        ...(found === null ? await storedOnce(content, sources, keptAs) : {}),
      };
      return { run: { kind: 'report', input }, sources: found, subtopics: null };
    },
  };
}

/** What every run of a schedule is about: sources that are stored, or are now. */
async function storedOnce(
  content: Parameters<typeof storedRules>[0]['content'],
  sources: RequestedSources,
  keptAs: string,
): Promise<{ manifestRef: string; sourceCount: number }> {
  if ('manifestRef' in sources) return { manifestRef: sources.manifestRef, sourceCount: sources.count };
  const { skipInvalid = false } = sources;
  const stored = await importSources({ runId: keptAs, readings: readingsOf(sources), content, skipInvalid });
  return { manifestRef: stored.manifestRef, sourceCount: stored.count };
}
