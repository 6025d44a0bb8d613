import { hostname } from 'node:os';
import { ApplicationFailure } from '@temporalio/common';
import { GivenSubtopics } from '../../contracts/brief/subtopic';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { RunBefore } from '../../contracts/run/since';
import type { FoundSources, FoundSubtopics } from '../../contracts/schedule/scheduled-start';
import { countSources } from '../../core/sources/count-sources';
import { findSources, UnknownFinderError } from '../../sources/find-sources';
import { importSources } from '../../sources/import-sources';
import { InvalidSourcesError } from '../../sources/invalid-sources-error';
import { InvalidSubtopicsError } from '../../sources/subtopics/invalid-subtopics-error';
import { readSubtopics } from '../../sources/subtopics/read-subtopics';
import { readArtifact, storeArtifact } from '../shared/artifacts';
import type { ActivityPorts } from '../shared/ports';
import { resultBefore } from './result-before';

export interface FindMaterialInput {
  schedule: string;
  keptAs: string;
  runId: string;
  sources: FoundSources | null;
  subtopics: FoundSubtopics | null;
  /** The run before as the server remembers it; null where it does not. */
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
/** What cannot be used stays so when it is tried again. */
const UNUSABLE = [InvalidSourcesError, InvalidSubtopicsError, UnknownFinderError];

/** Finds and stores what a run is to be about, and looks up the run before. What cannot be used fails it for good, in words. */
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
