import { ApplicationFailure } from '@temporalio/common';
import type { z } from 'zod';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { AskedIndex, RunSearch } from '../../../contracts/run/search';
import { toArtifactText } from '../../../core/run/json-artifact';
import { givenJson } from '../../../core/values/given-json';
import { UnansweredError } from '../../../search/search-indexes';
import type { SearchHit } from '../../../search/search-provider';
import { hashOf } from '../../../sources/source-id';
import { readArtifact, storeArtifact } from '../artifacts';
import type { ActivityPorts } from '../ports';
import { Hits, keptAs, type SearchingRun, SearchQueries, type SearchResults } from './search-artifacts';
import { openSearch } from './open-search';

export interface AskIndexesInput extends SearchingRun {
  search: RunSearch;
  queriesRef: ArtifactRef;
}

export interface AskedIndexes {
  resultsRef: ArtifactRef;
  results: number;
}

const NOBODY_ANSWERED = 'NobodyAnswered';

type Asked =
  | { index: AskedIndex; query: string; hits: SearchHit[] }
  | { index: AskedIndex; query: string; error: UnansweredError };

/**
 * Asks each index each query, and stores what all of them answered before anything is read. An answer is kept as soon as it is there,
 * so that none is asked for twice where this is tried again. Fails where nobody answers at all.
 */
export async function askIndexes(
  ports: ActivityPorts,
  { search, queriesRef, ...run }: AskIndexesInput,
  signal: AbortSignal,
): Promise<AskedIndexes> {
  const { content, derived } = ports;
  const { queries } = await readArtifact(content, queriesRef, SearchQueries);
  const indexes = openSearch(ports);
  const ask = async (index: AskedIndex, query: string): Promise<Asked> => {
    const limit = search.maxResults;
    const key = `search:${keptAs(run)}:${hashOf(JSON.stringify([index, query, limit]))}`;
    const kept = hitsIn((await derived.get(run.runId, [key])).get(key));
    if (kept !== null) return { index, query, hits: kept };
    try {
      const hits = await indexes.ask(index, query, { limit, signal });
      await derived.put(run.runId, new Map([[key, Buffer.from(toArtifactText(hits))]]));
      return { index, query, hits };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UnansweredError) return { index, query, error };
      throw error;
    }
  };
  try {
    // An index is asked one query after the other; the indexes, side by side.
    const asked = await Promise.all(
      search.indexes.map(async (index) => {
        const answers: Asked[] = [];
        for (const query of queries) answers.push(await ask(index, query));
        return answers;
      }),
    );
    const all = asked.flat();
    if (all.length > 0 && all.every((one) => 'error' in one)) throw nobodyAnswered(all);
    const results: z.infer<typeof SearchResults> = {
      queries,
      answers: all.flatMap((one) =>
        'hits' in one ? [{ index: one.index.name, query: one.query, hits: one.hits }] : [],
      ),
      problems: problemsOf(all),
    };
    const found = results.answers.reduce((sum, { hits }) => sum + hits.length, 0);
    return { resultsRef: await storeArtifact(content, run.runId, results), results: found };
  } finally {
    await indexes.close();
  }
}

function nobodyAnswered(asked: readonly Asked[]): Error {
  const mayAnswerLater = asked.some((one) => 'error' in one && one.error.isRetryable);
  return ApplicationFailure.create({
    message: `No index that was to be searched answered: ${problemsOf(asked).join('; ')}`,
    type: NOBODY_ANSWERED,
    nonRetryable: !mayAnswerLater,
  });
}

/** An index fails for every query for the same reason. */
function problemsOf(asked: readonly Asked[]): string[] {
  return [...new Set(asked.flatMap((one) => ('error' in one ? [one.error.message] : [])))];
}

/** What does not fit was kept by another version, or is damaged, and is asked for anew. */
function hitsIn(bytes: Uint8Array | undefined): SearchHit[] | null {
  if (bytes === undefined) return null;
  const json = givenJson(Buffer.from(bytes).toString('utf8'));
  return json.ok ? (Hits.safeParse(json.value).data ?? null) : null;
}
