import { z } from 'zod';
import { IndexSettings, SearchIndexName } from './search-indexes';
import { SourceId } from '../source/source';

export const AskedIndex = z.object({ name: SearchIndexName, settings: IndexSettings });
export type AskedIndex = z.infer<typeof AskedIndex>;

/** Within what a run looks for sources; each round has it anew. */
export const SearchBounds = z.object({
  /** Default 1. How often is searched: once, and then for what the findings leave open. */
  rounds: z.int().min(1).max(5).default(1),
  /** Default 4. How many queries a round asks each index at most. */
  maxQueries: z.int().min(1).max(10).default(4),
  /** Default 25. How many results of an index are taken for a query. */
  maxResults: z.int().min(1).max(200).default(25),
  /** Default 30. How many pages a round reads at most. */
  maxPages: z.int().min(1).max(5_000).default(30),
  /** Default 200,000,000. How many bytes of pages a round reads; behind the page that reaches it none is fetched. */
  maxBytes: z.int().min(1_000).max(100_000_000_000).default(200_000_000),
  /** Default 900,000, a quarter of an hour. How long a round fetches pages, in milliseconds. */
  maxTimeMs: z.int().min(1_000).max(86_400_000).default(900_000),
});
export type SearchBounds = z.infer<typeof SearchBounds>;

/** A search as it is a part of a run's input: whoever takes the run up asks the same. */
export const RunSearch = SearchBounds.extend({
  indexes: z.array(AskedIndex).min(1).max(20),
});
export type RunSearch = z.infer<typeof RunSearch>;

export const SearchOutcome = z.enum(['read', 'abstract', 'duplicate', 'unread']);
export type SearchOutcome = z.infer<typeof SearchOutcome>;

/** A work or a page that a search has found, and what became of it. No address holds a key. */
export const WorkAccount = z.object({
  title: z.string(),
  url: z.string().nullable(),
  doi: z.string().optional(),
  indexes: z.array(z.string()),
  outcome: SearchOutcome,
  /** Why it was not read, or only its abstract. */
  reason: z.string().optional(),
  sourceIds: z.array(SourceId).optional(),
  retracted: z.literal(true).optional(),
  /** The title of what it is another version of. */
  versionOf: z.string().optional(),
});
export type WorkAccount = z.infer<typeof WorkAccount>;

export const SearchAccount = z.object({
  indexes: z.array(z.string()),
  rounds: z.int().positive(),
  queries: z.array(z.string()),
  /** What could not be asked, and why. */
  problems: z.array(z.string()),
  works: z.array(WorkAccount),
});
export type SearchAccount = z.infer<typeof SearchAccount>;
