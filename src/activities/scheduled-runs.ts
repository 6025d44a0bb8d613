import { hostname } from 'node:os';
import { ApplicationFailure } from '@temporalio/common';
import type { z } from 'zod';
import type { Report } from '../contracts/report';
import type { RunBefore, SinceLast } from '../contracts/run-input';
import { type ArtifactRef, type SourceEntry, SourceManifest } from '../contracts/source';
import { type FoundSources, type FoundSubtopics, GivenSubtopics } from '../contracts/start';
import { countSources } from '../evidence/source-records';
import { diffReports } from '../report/diff/diff-reports';
import { sinceForgotten, sinceLast } from '../report/diff/since-last';
import { importSources } from '../sources/import-sources';
import { findSources, UnknownFinderError } from '../sources/read-sources';
import { readSubtopics } from '../sources/read-subtopics';
import { InvalidSourcesError, InvalidSubtopicsError } from '../sources/source-problems';
import type { ContentStore } from '../stores/content-store';
import { MissingArtifactError, readArtifact, readShared, storeArtifact } from './artifacts';
import type { ActivityPorts } from './ports';

export interface FindMaterialInput {
  schedule: string;
  keptAs: string;
  runId: string;
  sources: FoundSources | null;
  subtopics: FoundSubtopics | null;
  /** The previous run according to the server; null if unknown. */
  last: RunBefore | null;
}

export interface FoundMaterial {
  given: {
    manifestRef?: ArtifactRef;
    sourceCount?: number;
    sourceChars?: number;
    subtopicsRef?: ArtifactRef;
    subtopicCount?: number;
  };
  since: RunBefore | null;
}

const NOTHING_FOUND = 'NothingFound';
/** Input errors that a retry cannot fix. */
const UNUSABLE = [InvalidSourcesError, InvalidSubtopicsError, UnknownFinderError];

/** Stores the input of a scheduled run and finds the previous result. Unusable input fails without retry. */
export async function findMaterial(
  { content, events, pages }: Pick<ActivityPorts, 'content' | 'events' | 'pages'>,
  input: FindMaterialInput,
  signal: AbortSignal,
): Promise<FoundMaterial> {
  const { schedule, runId, sources, subtopics } = input;
  try {
    const given = {
      ...(sources === null ? {} : await foundSources({ content, pages }, runId, sources, signal)),
      ...(subtopics === null ? {} : await foundSubtopics(content, runId, subtopics)),
    };
    return { given, since: await resultBefore({ content, events }, input) };
  } catch (error) {
    if (!UNUSABLE.some((type) => error instanceof type) || !(error instanceof Error)) throw error;
    throw ApplicationFailure.nonRetryable(
      `What schedule "${schedule}" is about could not be read by the worker on ${hostname()}: ${error.message}`,
      NOTHING_FOUND,
    );
  }
}

async function foundSources(
  { content, pages }: { content: ActivityPorts['content']; pages: ActivityPorts['pages'] },
  runId: string,
  { skipInvalid, ...named }: FoundSources,
  signal: AbortSignal,
): Promise<FoundMaterial['given']> {
  const isRetried = true;
  const opened = pages?.open({ runId, isRetried, signal });
  try {
    const readings = findSources(named, opened);
    const asked = { runId, readings, content, pages: opened, skipInvalid, isRetried };
    const { manifestRef, count, chars } = await importSources(asked);
    return { manifestRef, sourceCount: count, sourceChars: chars };
  } finally {
    await opened?.close();
  }
}

async function foundSubtopics(
  content: ActivityPorts['content'],
  runId: string,
  { paths, subtopicsRef }: FoundSubtopics,
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
const RESULTS_LOGGED = 50;

export interface KeepResultInput {
  keptAs: string;
  result: RunBefore;
}

/** Independent of what happens to the run itself. Repeated calls change nothing. */
export async function keepResult(
  { content, events }: ActivityPorts,
  { keptAs, result }: KeepResultInput,
): Promise<RunBefore> {
  const told = await events.read(keptAs);
  const former = told.flatMap((event) => (event.type === 'scheduled-run' ? [event.payload.runId] : []));
  await content.hold(heldFor(keptAs, result.runId), await refsOf(content, result));
  if (told.length >= RESULTS_LOGGED) await events.clearRun(keptAs);
  await events.appendOnce(keptAs, result.runId, { type: 'scheduled-run', payload: result });
  for (const runId of former.filter((id) => id !== result.runId))
    await content.clearRun(heldFor(keptAs, runId));
  return result;
}

function heldFor(keptAs: string, runId: string): string {
  return `${keptAs}:${runId}`;
}

type Kept = Pick<ActivityPorts, 'content' | 'events'>;

/** The run holds the result, so that a deletion in the meantime does no harm. */
async function resultBefore(
  { content, events }: Kept,
  { keptAs, runId, last }: { keptAs: string; runId: string; last: RunBefore | null },
): Promise<RunBefore | null> {
  const told = (await events.read(keptAs)).flatMap((event) =>
    event.type === 'scheduled-run' && event.payload.runId !== runId ? [event.payload] : [],
  );
  const before = told.at(-1) ?? last;
  if (before !== null) await content.hold(runId, await refsOf(content, before));
  return before;
}

async function refsOf(
  content: ActivityPorts['content'],
  { reportRef, manifestRef }: RunBefore,
): Promise<string[]> {
  return manifestRef === undefined || !(await content.has(manifestRef))
    ? [reportRef]
    : [reportRef, manifestRef];
}

interface Comparable<Stored> {
  schema: z.ZodType<Stored>;
  asReport: (stored: Stored) => Report;
  after: () => Report;
  manifestRef: ArtifactRef | undefined;
}

/** Undefined if there is no previous run; unknown changes if its result is gone. */
export async function sinceBefore<Stored>(
  content: ContentStore,
  before: RunBefore | undefined,
  { schema, asReport, after, manifestRef }: Comparable<Stored>,
): Promise<SinceLast | undefined> {
  if (before === undefined) return undefined;
  try {
    const earlier = asReport(await readArtifact(content, before.reportRef, schema));
    const [had, has] = [await sourcesOf(content, before.manifestRef), await sourcesOf(content, manifestRef)];
    const read = had === null || has === null ? null : { before: had, after: has };
    const diff = diffReports(earlier, after(), read);
    return sinceLast({ ...diff, before: { ...diff.before, id: before.runId } });
  } catch (error) {
    if (error instanceof MissingArtifactError) return sinceForgotten(before.runId);
    throw error;
  }
}

async function sourcesOf(
  content: ContentStore,
  ref: ArtifactRef | undefined,
): Promise<readonly SourceEntry[] | null> {
  if (ref === undefined) return null;
  try {
    return (await readShared(content, ref, SourceManifest)).sources;
  } catch (error) {
    if (error instanceof MissingArtifactError) return null;
    throw error;
  }
}
