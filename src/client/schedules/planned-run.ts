import { resolve } from 'node:path';
import type { RunKind } from '../../contracts/kinds';
import type { FoundSources, ScheduledStart } from '../../contracts/schedule/scheduled-start';
import { findSources } from '../../sources/finders/find-sources';
import { noteSources } from '../../sources/noted-sources';
import type { ContentStore } from '../../stores/content-store';

/** The run of a schedule, looked at as if it were started now; nothing is stored before `store` is called. */
export interface PlannedRun {
  kind: RunKind;
  question: string;
  engine: string;
  /** What is read when it fires, absolute. */
  paths: string[];
  /** Stores what every run of the schedule is given, for `keptAs` to hold. */
  store(
    content: ContentStore,
    keptAs: string,
  ): Promise<Pick<ScheduledStart, 'run' | 'sources' | 'subtopics'>>;
}

/** Stands for the id that each run has of its own. */
export const NO_ID_YET = 'scheduled';

export function absolute(paths: readonly string[]): string[] {
  return paths.map((path) => resolve(path));
}

/** Files and folders as a schedule looks for them, looked for now: throws `InvalidSourcesError` as a run would be refused for them. */
export async function checkedFiles(paths: readonly string[], skipInvalid = false): Promise<FoundSources> {
  const sources = { finder: 'files', settings: { paths: absolute(paths) }, skipInvalid };
  const noted = noteSources({ skipInvalid });
  const { signal } = new AbortController();
  for await (const reading of findSources(sources, { signal })) noted.note(reading);
  noted.warnings();
  return sources;
}
