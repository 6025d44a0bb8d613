import type { BriefRunInput } from '../../contracts/brief/brief-run';
import { BriefSettings } from '../../contracts/brief/brief-settings';
import { type GivenSubtopic, GivenSubtopics } from '../../contracts/brief/subtopic';
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
import { InvalidRequestError, RunDiffersError } from '../run-errors';
import { startRun, type Started, type StartRecords } from '../starting/start-run';
import { briefProblems, subtopicsProblems } from './brief-problems';
import type { BriefRequest, RequestedSubtopics } from './brief-request';
import { countSources } from '../../core/sources/count-sources';
import { BriefStart } from '../../contracts/brief/brief-start';
import { artifactRef } from '../../stores/artifact-ref';
import type { DescribedRun } from '../described-run';
import { readArtifact } from '../pass-results/read-pass-result';
import { readInputOf } from '../read-run-input';
import { heldSettings, joinWarning } from '../request-differences';

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

const NAMES_SHOWN = 3;

/** As `joinRun`, for a brief: it is joined where it answers the same question from the same subtopics. */
async function joinBrief(
  records: StartRecords,
  running: DescribedRun,
  given: { question: string; subtopics: readonly GivenSubtopic[] },
  wanted: Readonly<Record<string, unknown>>,
): Promise<Warning[]> {
  const { runId } = running;
  const has = await readInputOf(records.client, running, BriefStart);
  if (has === null)
    return [
      joinWarning(
        `What run "${runId}" was started with cannot be read, so it is not known to be about the same.`,
      ),
    ];
  const question = has.question.trim();
  const differences = question === given.question ? [] : [`its question is “${question}”`];
  const ref = has.subtopicsRef ?? artifactRef(toArtifactText(has.subtopics));
  if (ref !== artifactRef(toArtifactText(given.subtopics))) {
    const held = has.subtopics ?? (await readArtifact(records.content, ref, GivenSubtopics));
    differences.push(differenceOf(held, given.subtopics));
  }
  if (differences.length > 0) throw new RunDiffersError(runId, differences);
  return heldSettings(runId, has, wanted);
}

function differenceOf(held: readonly GivenSubtopic[] | null, given: readonly GivenSubtopic[]): string {
  if (held === null) return 'its subtopics are others';
  const [before, now] = [held, given].map((subtopics) => new Set(subtopics.map(({ title }) => title)));
  const added = given.filter(({ title }) => before?.has(title) === false);
  const gone = held.filter(({ title }) => now?.has(title) === false);
  const told = [
    ...(added.length === 0 ? [] : [`it does not have ${named(added)}`]),
    ...(gone.length === 0 ? [] : [`it has ${named(gone)}, not given now`]),
  ];
  return told.length === 0
    ? 'its subtopics have the same titles, and other texts, sources or another order'
    : told.join(', and ');
}

function named(subtopics: readonly GivenSubtopic[]): string {
  const names = subtopics.slice(0, NAMES_SHOWN).map(({ title }) => `“${title}”`);
  const more = subtopics.length - names.length;
  return [...names, ...(more === 0 ? [] : [`${more} more`])].join(', ');
}
