import type { ArtifactRef } from '../../../contracts/run/artifact';
import { foundWorks, type Work } from '../../../search/found-works';
import type { ContentStore } from '../../../stores/content-store';
import { readArtifact, storeArtifact } from '../artifacts';
import type { ActivityPorts, RunFacts } from '../ports';
import { SearchResults, readTried } from './search-artifacts';

export interface ChooseWorksInput {
  run: Pick<RunFacts, 'runId' | 'question'>;
  resultsRefs: ArtifactRef[];
  triedRef: ArtifactRef | null;
}

/** Merges what indexes named, and ranks what was not tried yet by how well its title and what is shown of it answer the question. */
export async function chooseWorks(
  { content, threads }: ActivityPorts,
  { run: { runId, question }, resultsRefs, triedRef }: ChooseWorksInput,
  signal: AbortSignal,
): Promise<{ worksRef: ArtifactRef; works: number }> {
  const tried = new Set((await readTried(content, triedRef)).flatMap(({ keys }) => keys));
  const found = (await readFound(content, resultsRefs)).works;
  const untried = found.filter(({ keys }) => !keys.some((key) => tried.has(key)));
  const texts = untried.map(({ title, text }) => ({ title, text: text ?? '' }));
  const places = await threads.run('rank-texts', { question, texts }, signal);
  const works = places.flatMap((place) => untried[place] ?? []);
  return { worksRef: await storeArtifact(content, runId, { works }), works: works.length };
}

export async function readFound(
  content: ContentStore,
  resultsRefs: readonly ArtifactRef[],
): Promise<{ works: Work[]; queries: string[]; problems: string[] }> {
  const rounds = await Promise.all(resultsRefs.map((ref) => readArtifact(content, ref, SearchResults)));
  return {
    works: foundWorks(rounds.flatMap(({ answers }) => answers)),
    queries: rounds.flatMap(({ queries }) => queries),
    problems: [...new Set(rounds.flatMap(({ problems }) => problems))],
  };
}
