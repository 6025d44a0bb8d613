import { ApplicationFailure } from '@temporalio/common';
import { z } from 'zod';
import { ValidatedFindings } from '../contracts/finding';
import { type RequestedIndex, type RunSearch, SearchOutcome } from '../contracts/run-input';
import { ArtifactRef, SourceEntry } from '../contracts/source';
import { parseBoundedJson, toArtifactText } from '../lib/json';
import { hashOf } from '../sources/record';
import { SearchHit } from '../sources/search-query';
import { type OpenIndexes, UnansweredError, Work } from '../sources/search-service';
import { planSearch } from '../steps/search-queries';
import type { ContentStore } from '../stores/content-store';
import { readArtifact, readOptional, storeArtifact } from './artifacts';
import type { ActivityPorts, RunContext } from './ports';
import { runStep, type UsageAndWarnings } from './run-step';

export interface PlanQueriesInput {
  run: RunContext;
  pass: number;
  round: number;
  most: number;
  resultsRefs: ArtifactRef[];
  validatedRef: ArtifactRef | null;
}

export interface PlannedQueries extends UsageAndWarnings {
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
  const validated = await readOptional(content, validatedRef, ValidatedFindings);
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

export interface AskIndexesInput extends RunExecution {
  search: RunSearch;
  queriesRef: ArtifactRef;
}

export interface IndexResults {
  resultsRef: ArtifactRef;
  results: number;
}

const NO_INDEX_ANSWERED = 'NobodyAnswered';

type IndexAnswer =
  | { index: RequestedIndex; query: string; hits: SearchHit[] }
  | { index: RequestedIndex; query: string; error: UnansweredError };

/** Caches each answer at once, so that a retry does not ask again. Fails if no index answers. */
export async function askIndexes(
  ports: ActivityPorts,
  { search, queriesRef, ...run }: AskIndexesInput,
  signal: AbortSignal,
): Promise<IndexResults> {
  const { content, derived } = ports;
  const { queries } = await readArtifact(content, queriesRef, SearchQueries);
  const indexes = openSearch(ports);
  const ask = async (index: RequestedIndex, query: string): Promise<IndexAnswer> => {
    const limit = search.maxResults;
    const key = `search:${searchCacheKey(run)}:${hashOf(JSON.stringify([index, query, limit]))}`;
    const kept = parseHits((await derived.get(run.runId, [key])).get(key));
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
        const answers: IndexAnswer[] = [];
        for (const query of queries) answers.push(await ask(index, query));
        return answers;
      }),
    );
    const all = asked.flat();
    if (all.length > 0 && all.every((one) => 'error' in one)) throw noAnswerFailure(all);
    const results: z.infer<typeof SearchResults> = {
      queries,
      answers: all.flatMap((one) =>
        'hits' in one ? [{ index: one.index.name, query: one.query, hits: one.hits }] : [],
      ),
      problems: answerProblems(all),
    };
    const found = results.answers.reduce((sum, { hits }) => sum + hits.length, 0);
    return { resultsRef: await storeArtifact(content, run.runId, results), results: found };
  } finally {
    await indexes.close();
  }
}

function noAnswerFailure(asked: readonly IndexAnswer[]): Error {
  const mayAnswerLater = asked.some((one) => 'error' in one && one.error.isRetryable);
  return ApplicationFailure.create({
    message: `No index that was to be searched answered: ${answerProblems(asked).join('; ')}`,
    type: NO_INDEX_ANSWERED,
    nonRetryable: !mayAnswerLater,
  });
}

/** An index fails for every query for the same reason. */
function answerProblems(asked: readonly IndexAnswer[]): string[] {
  return [...new Set(asked.flatMap((one) => ('error' in one ? [one.error.message] : [])))];
}

/** Null if the entry is damaged or has another version's shape. */
function parseHits(bytes: Uint8Array | undefined): SearchHit[] | null {
  if (bytes === undefined) return null;
  const json = parseBoundedJson(Buffer.from(bytes).toString('utf8'));
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
export interface RunExecution {
  runId: string;
  /** Of the run's first execution. */
  executionId: string;
}

export function searchCacheKey({ runId, executionId }: RunExecution): string {
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

export const WorkAttempt = z.object({
  round: z.int().positive(),
  keys: z.array(z.string()),
  outcome: SearchOutcome,
  reason: z.string().optional(),
  entries: z.array(SourceEntry),
});
export type WorkAttempt = z.infer<typeof WorkAttempt>;

/** One batch, linked to the earlier ones so that no artifact grows. */
const AttemptBatch = z.object({ before: ArtifactRef.nullable(), tried: z.array(WorkAttempt) });

/** In order of the attempts. */
export async function readAttempts(
  content: ContentStore,
  triedRef: ArtifactRef | null,
): Promise<WorkAttempt[]> {
  const batches: WorkAttempt[][] = [];
  for (let ref = triedRef; ref !== null;) {
    const { before, tried } = await readArtifact(content, ref, AttemptBatch);
    batches.unshift(tried);
    ref = before;
  }
  return batches.flat();
}
