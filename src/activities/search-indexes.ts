import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import { ValidatedFindings } from '../contracts/finding';
import { type AskedIndex, type RunSearch, SearchOutcome } from '../contracts/run-input';
import { ArtifactRef, SourceEntry } from '../contracts/source';
import { givenJson, toArtifactText } from '../lib/json';
import { hashOf } from '../sources/record';
import { SearchHit } from '../sources/search-query';
import { type OpenIndexes, UnansweredError, Work } from '../sources/search-service';
import { planSearch } from '../steps/search-queries';
import type { ContentStore } from '../stores/content-store';
import { readArtifact, readIfAny, storeArtifact } from './artifacts';
import type { ActivityPorts, RunFacts } from './ports';
import { runStep, type Spent } from './run-step';

export interface PlanQueriesInput {
  run: RunFacts;
  pass: number;
  round: number;
  most: number;
  resultsRefs: ArtifactRef[];
  validatedRef: ArtifactRef | null;
}

export interface PlannedQueries extends Spent {
  queriesRef: ArtifactRef;
  queries: number;
}

export async function planQueries(
  ports: ActivityPorts,
  { run, pass, round, most, resultsRefs, validatedRef }: PlanQueriesInput,
  signal: AbortSignal,
): Promise<PlannedQueries> {
  const { content } = ports;
  const before = await Promise.all(resultsRefs.map((ref) => readArtifact(content, ref, SearchResults)));
  const validated = await readIfAny(content, validatedRef, ValidatedFindings);
  const input = {
    question: run.question,
    tried: before.flatMap(({ queries }) => queries),
    gaps: (validated?.gaps ?? []).map(({ question }) => question),
    most,
  };
  const place = { pass, ordinal: `search-${round}` };
  const { output, usage, warnings } = await runStep(ports, run, planSearch, input, { place, signal });
  const queriesRef = await storeArtifact(content, run.runId, output);
  return { queriesRef, queries: output.queries.length, usage, warnings };
}

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

/** Caches each answer at once, so that a retry does not ask again. Fails if no index answers. */
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
    // Queries to one index run in sequence, the indexes in parallel.
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

/** Null if the entry is damaged or has another version's shape. */
function hitsIn(bytes: Uint8Array | undefined): SearchHit[] | null {
  if (bytes === undefined) return null;
  const json = givenJson(Buffer.from(bytes).toString('utf8'));
  return json.ok ? (Hits.safeParse(json.value).data ?? null) : null;
}

/** Configuration problems as sentences; sends no request. */
export function searchProblems(
  { search, pages }: Pick<ActivityPorts, 'search' | 'pages'>,
  settings: RunSearch | undefined,
): string[] {
  if (settings === undefined) return [];
  if (search === undefined || pages === undefined)
    return ['this worker searches no index, and reads no page'];
  return search.problems(settings.indexes);
}

function openSearch({ search }: Pick<ActivityPorts, 'search'>): OpenIndexes {
  if (search === undefined)
    throw new Error('This worker searches no index; another one has to take the run.');
  return search.open();
}

/** Identifies cached answers: a run with a reused id must ask again. */
export interface SearchingRun {
  runId: string;
  /** Of the run's first execution. */
  executionId: string;
}

export function keptAs({ runId, executionId }: SearchingRun): string {
  return hashOf(JSON.stringify([runId, executionId]));
}

const SearchQueries = z.object({ queries: z.array(z.string()) });

const Hits = z.array(SearchHit);

/** The answers of one round, stored before reading so that retries see the same. */
export const SearchResults = z.object({
  queries: z.array(z.string()),
  answers: z.array(z.object({ index: z.string(), query: z.string(), hits: Hits })),
  problems: z.array(z.string()),
});

/** Best first. */
export const ChosenWorks = z.object({ works: z.array(Work) });

export const TriedWork = z.object({
  round: z.int().positive(),
  keys: z.array(z.string()),
  outcome: SearchOutcome,
  reason: z.string().optional(),
  entries: z.array(SourceEntry),
});
export type TriedWork = z.infer<typeof TriedWork>;

/** One batch, linked to the earlier ones so that no artifact grows. */
const TriedWorks = z.object({ before: ArtifactRef.nullable(), tried: z.array(TriedWork) });

/** In order of the attempts. */
export async function readTried(content: ContentStore, triedRef: ArtifactRef | null): Promise<TriedWork[]> {
  const batches: TriedWork[][] = [];
  for (let ref = triedRef; ref !== null;) {
    const { before, tried } = await readArtifact(content, ref, TriedWorks);
    batches.unshift(tried);
    ref = before;
  }
  return batches.flat();
}
