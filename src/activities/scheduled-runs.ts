import { hostname } from 'node:os';
import { ApplicationFailure } from '@temporalio/common';
import type { z } from 'zod';
import type { Report } from '../contracts/report';
import type { PreviousRun, SinceLast } from '../contracts/run-input';
import { type ArtifactRef, type SourceEntry, SourceManifest } from '../contracts/source';
import { GivenSubtopics, type ScheduledSources, type ScheduledSubtopics } from '../contracts/start';
import { countSources } from '../evidence/source-records';
import { diffReports } from '../report/diff/diff-reports';
import { sinceDeletedRun, sinceLast } from '../report/diff/since-last';
import { importSources } from '../sources/import-sources';
import { findScheduledSources, UnknownFinderError } from '../sources/read-sources';
import { readSubtopics } from '../sources/read-subtopics';
import { InvalidSourcesError, InvalidSubtopicsError } from '../sources/source-problems';
import type { ContentStore } from '../stores/content-store';
import { MissingArtifactError, readArtifact, readCached, storeArtifact } from './artifacts';
import type { ActivityPorts } from './ports';

export interface FindMaterialInput {
  schedule: string;
  keptAs: string;
  runId: string;
  sources: ScheduledSources | null;
  subtopics: ScheduledSubtopics | null;
  /** The previous run according to the server; null if unknown. */
  last: PreviousRun | null;
}

export interface FoundMaterial {
  given: {
    manifestRef?: ArtifactRef;
    sourceCount?: number;
    sourceChars?: number;
    subtopicsRef?: ArtifactRef;
    subtopicCount?: number;
  };
  since: PreviousRun | null;
}

const NOTHING_FOUND = 'NothingFound';
/** Input errors that a retry cannot fix. */
const UNUSABLE_INPUT_ERRORS = [InvalidSourcesError, InvalidSubtopicsError, UnknownFinderError];

/** Stores the input of a scheduled run and finds the previous result. Unusable input fails without retry. */
export async function findMaterial(
  { content, events, pages }: Pick<ActivityPorts, 'content' | 'events' | 'pages'>,
  input: FindMaterialInput,
  signal: AbortSignal,
): Promise<FoundMaterial> {
  const { schedule, runId, sources, subtopics } = input;
  try {
    const given = {
      ...(sources === null ? {} : await importFoundSources({ content, pages }, runId, sources, signal)),
      ...(subtopics === null ? {} : await storeFoundSubtopics(content, runId, subtopics)),
    };
    return { given, since: await previousResult({ content, events }, input) };
  } catch (error) {
    if (!UNUSABLE_INPUT_ERRORS.some((type) => error instanceof type) || !(error instanceof Error))
      throw error;
    throw ApplicationFailure.nonRetryable(
      `What schedule "${schedule}" is about could not be read by the worker on ${hostname()}: ${error.message}`,
      NOTHING_FOUND,
    );
  }
}

async function importFoundSources(
  { content, pages }: { content: ActivityPorts['content']; pages: ActivityPorts['pages'] },
  runId: string,
  { skipInvalid, ...named }: ScheduledSources,
  signal: AbortSignal,
): Promise<FoundMaterial['given']> {
  const isRetried = true;
  const opened = pages?.open({ runId, isRetried, signal });
  try {
    const readings = findScheduledSources(named, opened);
    const asked = { runId, readings, content, pages: opened, skipInvalid, isRetried };
    const { manifestRef, count, chars } = await importSources(asked);
    return { manifestRef, sourceCount: count, sourceChars: chars };
  } finally {
    await opened?.close();
  }
}

async function storeFoundSubtopics(
  content: ActivityPorts['content'],
  runId: string,
  { paths, subtopicsRef }: ScheduledSubtopics,
): Promise<FoundMaterial['given']> {
  const { subtopics: read } = await readSubtopics(paths);
  const stored = subtopicsRef === undefined ? [] : await readArtifact(content, subtopicsRef, GivenSubtopics);
  const subtopics = [...read, ...stored];
  return {
    subtopicsRef: await storeArtifact(content, runId, subtopics),
    subtopicCount: subtopics.length,
    sourceCount: countSources(subtopics),
  };
}

/** A log of this length is cleared: only the latest result is needed. */
const MAX_LOGGED_RESULTS = 50;

export interface KeepResultInput {
  keptAs: string;
  result: PreviousRun;
}

/** Independent of what happens to the run itself. Repeated calls change nothing. */
export async function keepResult(
  { content, events }: ActivityPorts,
  { keptAs, result }: KeepResultInput,
): Promise<PreviousRun> {
  const told = await events.read(keptAs);
  const former = told.flatMap((event) => (event.type === 'scheduled-run' ? [event.payload.runId] : []));
  await content.hold(holderId(keptAs, result.runId), await resultRefs(content, result));
  if (told.length >= MAX_LOGGED_RESULTS) await events.clearRun(keptAs);
  await events.appendOnce(keptAs, result.runId, { type: 'scheduled-run', payload: result });
  for (const runId of former.filter((id) => id !== result.runId))
    await content.clearRun(holderId(keptAs, runId));
  return result;
}

function holderId(keptAs: string, runId: string): string {
  return `${keptAs}:${runId}`;
}

type ResultPorts = Pick<ActivityPorts, 'content' | 'events'>;

/** The run holds the result, so that a deletion in the meantime does no harm. */
async function previousResult(
  { content, events }: ResultPorts,
  { keptAs, runId, last }: { keptAs: string; runId: string; last: PreviousRun | null },
): Promise<PreviousRun | null> {
  const told = (await events.read(keptAs)).flatMap((event) =>
    event.type === 'scheduled-run' && event.payload.runId !== runId ? [event.payload] : [],
  );
  const before = told.at(-1) ?? last;
  if (before !== null) await content.hold(runId, await resultRefs(content, before));
  return before;
}

async function resultRefs(
  content: ActivityPorts['content'],
  { reportRef, manifestRef }: PreviousRun,
): Promise<string[]> {
  return manifestRef === undefined || !(await content.has(manifestRef))
    ? [reportRef]
    : [reportRef, manifestRef];
}

interface ComparableResult<Stored> {
  schema: z.ZodType<Stored>;
  asReport: (stored: Stored) => Report;
  after: () => Report;
  manifestRef: ArtifactRef | undefined;
}

/** Undefined if there is no previous run; unknown changes if its result is gone. */
export async function changesSincePrevious<Stored>(
  content: ContentStore,
  before: PreviousRun | undefined,
  { schema, asReport, after, manifestRef }: ComparableResult<Stored>,
): Promise<SinceLast | undefined> {
  if (before === undefined) return undefined;
  try {
    const earlier = asReport(await readArtifact(content, before.reportRef, schema));
    const [had, has] = [
      await manifestSources(content, before.manifestRef),
      await manifestSources(content, manifestRef),
    ];
    const read = had === null || has === null ? null : { before: had, after: has };
    const diff = diffReports(earlier, after(), read);
    return sinceLast({ ...diff, before: { ...diff.before, id: before.runId } });
  } catch (error) {
    if (error instanceof MissingArtifactError) return sinceDeletedRun(before.runId);
    throw error;
  }
}

async function manifestSources(
  content: ContentStore,
  ref: ArtifactRef | undefined,
): Promise<readonly SourceEntry[] | null> {
  if (ref === undefined) return null;
  try {
    return (await readCached(content, ref, SourceManifest)).sources;
  } catch (error) {
    if (error instanceof MissingArtifactError) return null;
    throw error;
  }
}
