import type { BriefRunInput } from '../../contracts/brief/brief-run';
import { BriefSettings } from '../../contracts/brief/brief-settings';
import type { GivenSubtopic } from '../../contracts/brief/subtopic';
import { JudgeSettings } from '../../contracts/judge/rubric';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { traitsOf } from '../../contracts/run/engines';
import type { Warning } from '../../contracts/run/run';
import { toArtifactText } from '../../core/run/json-artifact';
import { RUN_SHAPE } from '../../core/run/run-shape';
import { count } from '../../core/writing/count';
import { readSubtopics } from '../../sources/subtopics/read-subtopics';
import { stepVersions } from '../../steps/step-versions';
import { newRunId } from '../new-run-id';
import { InvalidRequestError } from '../run-errors';
import { startRun, type Started, type StartRecords } from '../starting/start-run';
import { briefProblems, subtopicsProblems } from './brief-problems';
import type { BriefRequest, RequestedSubtopics } from './brief-request';
import { countSources } from '../../core/sources/count-sources';
import { joinBrief } from './join-brief';

interface StoredSubtopics {
  subtopicsRef: ArtifactRef;
  sources: number;
  warnings: Warning[];
}

/** Checks everything first, reading what paths name, then stores the subtopics, then starts the run. */
export async function startBrief(records: StartRecords, request: BriefRequest): Promise<Started> {
  const now = new Date();
  const asOf = request.asOf ?? now.toISOString();
  const runId = request.runId ?? newRunId('brief', now);
  const problems = briefProblems(request, runId, asOf);
  if (problems.length > 0) throw new InvalidRequestError(problems);
  const { subtopics, warnings } = await givenSubtopics(request.subtopics);
  const question = request.question.trim();
  const settings = briefSettings(request);
  const { outages, searchAttributes = false } = request;
  return startRun<StoredSubtopics, BriefRunInput>(records, {
    kind: 'brief',
    runId,
    question,
    again: request.again === true,
    searchAttributes,
    join: (running) =>
      joinBrief(
        records,
        running,
        { question, subtopics },
        { ...settings, ...(request.asOf === undefined ? {} : { asOf }) },
      ),
    store: async () => ({
      subtopicsRef: await records.content.store(runId, toArtifactText(subtopics)),
      sources: countSources(subtopics),
      subtopics: subtopics.length,
      warnings,
    }),
    input: async ({ subtopicsRef, sources }) => ({
      runId,
      kind: 'brief',
      question,
      subtopicsRef,
      sourceCount: sources,
      subtopicCount: subtopics.length,
      asOf,
      ...settings,
      stepVersions,
      shape: RUN_SHAPE,
      ...(outages === undefined ? {} : { outages }),
      searchAttributes,
    }),
    details: ({ sources }) =>
      `${count(subtopics.length, 'subtopic')}, ${count(sources, 'source')} · engine \`${settings.engine}\``,
  });
}

/** Files are read before a run is looked for: what is wrong with them is told whether one is running or not. */
export async function givenSubtopics(
  requested: RequestedSubtopics,
): Promise<{ subtopics: readonly GivenSubtopic[]; warnings: Warning[] }> {
  if (!('paths' in requested)) return { subtopics: requested, warnings: [] };
  const read = await readSubtopics(requested.paths);
  const problems = subtopicsProblems(read.subtopics);
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return read;
}

export function briefSettings({
  engine = 'extractive',
  models = null,
  brief,
  judge,
  budget = {},
}: BriefRequest): Pick<BriefRunInput, 'engine' | 'models' | 'brief' | 'judge' | 'budget'> {
  return {
    engine,
    models: traitsOf(engine).asksModels ? models : null,
    brief: BriefSettings.parse(brief ?? {}),
    judge: JudgeSettings.parse(judge ?? {}),
    budget,
  };
}
