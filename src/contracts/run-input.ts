import { z } from 'zod';
import { EngineName, OutageSettings, RunId, RunKind, Warning } from './run';
import { ArtifactRef, SourceId } from './source';

/** docs/sources.md has the coverage, limits and terms. */
interface SearchIndex {
  /** Null for a service that users host themselves. */
  readonly address: string | null;
  readonly key: 'none' | 'optional' | 'required';
  readonly keyVariable: string | null;
}

export const SEARCH_INDEXES = {
  searxng: { address: null, key: 'none', keyVariable: null },
  tavily: { address: 'https://api.tavily.com', key: 'required', keyVariable: 'TAVILY_API_KEY' },
  brave: { address: 'https://api.search.brave.com', key: 'required', keyVariable: 'BRAVE_API_KEY' },
  openalex: { address: 'https://api.openalex.org', key: 'optional', keyVariable: 'OPENALEX_API_KEY' },
  arxiv: { address: 'https://export.arxiv.org', key: 'none', keyVariable: null },
  pubmed: { address: 'https://eutils.ncbi.nlm.nih.gov', key: 'optional', keyVariable: 'NCBI_API_KEY' },
} as const satisfies Record<string, SearchIndex>;

type IndexKey = keyof typeof SEARCH_INDEXES;

export const SearchIndexName = z.enum(Object.keys(SEARCH_INDEXES) as IndexKey[]); // `Object.keys` forgets the keys of a constant
export type SearchIndexName = z.infer<typeof SearchIndexName>;

export const IndexSettings = z.object({
  url: z.url({ protocol: /^https?$/ }).nullable(),
  /** Email address, for indexes that ask for a contact. */
  contact: z.email().nullable(),
});
export type IndexSettings = z.infer<typeof IndexSettings>;

export const RequestedIndex = z.object({ name: SearchIndexName, settings: IndexSettings });
export type RequestedIndex = z.infer<typeof RequestedIndex>;

/** Limits of a search. They apply to each round anew. */
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

/** The search in a run's input, so that every worker searches the same. */
export const RunSearch = SearchBounds.extend({
  indexes: z.array(RequestedIndex).min(1).max(20),
});
export type RunSearch = z.infer<typeof RunSearch>;

export const SearchOutcome = z.enum(['read', 'abstract', 'duplicate', 'unread']);
export type SearchOutcome = z.infer<typeof SearchOutcome>;

/** A work or page that a search found. URLs contain no keys. */
export const SearchLogEntry = z.object({
  title: z.string(),
  url: z.string().nullable(),
  doi: z.string().optional(),
  indexes: z.array(z.string()),
  outcome: SearchOutcome,
  /** Why it was not read, or only its abstract. */
  reason: z.string().optional(),
  sourceIds: z.array(SourceId).optional(),
  retracted: z.literal(true).optional(),
  /** Title of the work of which this is another version. */
  versionOf: z.string().optional(),
});
export type SearchLogEntry = z.infer<typeof SearchLogEntry>;

export const SearchLog = z.object({
  indexes: z.array(z.string()),
  rounds: z.int().positive(),
  queries: z.array(z.string()),
  problems: z.array(z.string()),
  works: z.array(SearchLogEntry),
});
export type SearchLog = z.infer<typeof SearchLog>;

const Count = z.int().nonnegative();

export const DiffSummary = z.object({
  findings: z.object({
    new: Count,
    newlyQuoted: Count,
    changed: Count,
    notQuoted: Count,
    withdrawn: Count,
    unchanged: Count,
  }),
  setAside: z.object({ newly: Count, noLonger: Count, inBoth: Count }),
  conflicts: z.object({ opened: Count, closed: Count, changed: Count, unchanged: Count }),
  gaps: z.object({ opened: Count, closed: Count, unchanged: Count }),
  sources: z.object({
    /** Of all sources read; null if unknown. */
    read: z.object({ changed: Count, came: Count, went: Count, unchanged: Count }).nullable(),
    newlyCited: Count,
    noLongerCited: Count,
    inBoth: Count,
  }),
});
export type DiffSummary = z.infer<typeof DiffSummary>;

/** The previous run: its result, and its manifest if the sources were stored as one. */
export const PreviousRun = z.object({
  runId: RunId,
  reportRef: ArtifactRef,
  manifestRef: ArtifactRef.optional(),
  /** Date of the result, ISO 8601. */
  asOf: z.string().optional(),
});
export type PreviousRun = z.infer<typeof PreviousRun>;

/** In order of importance. */
export const ChangeKind = z.enum([
  'source-came',
  'source-changed',
  'source-went',
  'conflict-opened',
  'conflict-changed',
  'conflict-closed',
  'finding-changed',
  'finding-new',
  'finding-gone',
  'set-aside',
  'gap-opened',
  'gap-closed',
]);
export type ChangeKind = z.infer<typeof ChangeKind>;

export const SinceLast = z.object({
  runId: RunId,
  /** Date of the previous result, ISO 8601; null if it is no longer stored. */
  asOf: z.string().nullable(),
  /** Null if the previous result is no longer stored, so that nothing was compared. */
  changed: z.boolean().nullable(),
  summary: DiffSummary.nullable(),
  /** The most important changes, a line of Markdown each. */
  changes: z.array(z.object({ kind: ChangeKind, line: z.string() })),
  more: z.int().nonnegative(),
});
export type SinceLast = z.infer<typeof SinceLast>;

const WebhookUrl = z
  .string()
  .max(4_096)
  .regex(/^https?:\/\/[^\s/]/i, 'an address begins with https:// or http://');

export const Webhook = z.object({ url: WebhookUrl });
export type Webhook = z.infer<typeof Webhook>;

export const EndedRun = z.object({
  runId: RunId,
  kind: RunKind,
  status: z.enum(['completed', 'partial', 'cancelled', 'failed']),
});
export type EndedRun = z.infer<typeof EndedRun>;

/** Input of the workflow that delivers a webhook. `messageId` is the same for all deliveries. */
export const WebhookStart = z.object({
  ...Webhook.shape,
  ...EndedRun.shape,
  messageId: z.string().min(1).max(200),
});
export type WebhookStart = z.infer<typeof WebhookStart>;

export const PromptOrigin = z.object({
  name: z.string().min(1),
  version: z.string().min(1),
  /** Labels of the version when the run began. */
  labels: z.array(z.string()),
  from: z.enum(['code', 'langfuse']),
});
export type PromptOrigin = z.infer<typeof PromptOrigin>;

/** A prompt that replaces a step's own, with its text when the run began. */
export const PinnedPrompt = PromptOrigin.extend({
  from: z.literal('langfuse'),
  template: z.object({ system: z.string(), user: z.string() }),
});
export type PinnedPrompt = z.infer<typeof PinnedPrompt>;

/** Pinned when the run began. Steps without an entry use their own prompt. */
export const PinnedPrompts = z.object({
  prompts: z.record(z.string(), PinnedPrompt),
  warnings: z.array(Warning),
});
export type PinnedPrompts = z.infer<typeof PinnedPrompts>;

const UsdPerMillion = z.number().min(0).max(100_000);

/** USD per million tokens. */
export const ModelPrice = z.object({ input: UsdPerMillion, output: UsdPerMillion });
export type ModelPrice = z.infer<typeof ModelPrice>;

/** By the endpoint's name of the model. */
export const PriceTable = z.record(z.string().min(1), ModelPrice);
export type PriceTable = z.infer<typeof PriceTable>;

/** Expected model calls, computed from the sources and settings before the first call. */
export const RunEstimate = z.object({
  /** Fractional, because some calls are conditional. */
  calls: z.number().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  /** Null if the price of a model is unknown. */
  costUsd: z.number().nonnegative().nullable(),
  /** The smallest call that writes the text. With a limit below it, no model writes anything. */
  smallestCall: z.object({
    tokens: z.int().nonnegative(),
    costUsd: z.number().nonnegative().nullable(),
  }),
  /** The endpoint's names, the model of the most expensive part first. */
  models: z.array(z.string()).min(1),
});
export type RunEstimate = z.infer<typeof RunEstimate>;

/** Maximum of all durations: 10 years. */
export const MAX_TIME_MS = 315_360_000_000;

/** Absent means no limit. Time is run time without pauses. */
export const BudgetLimits = z.object({
  maxTokens: z.int().positive().optional(),
  maxCostUsd: z.number().positive().optional(),
  maxTimeMs: z.int().positive().optional(),
});
export type BudgetLimits = z.infer<typeof BudgetLimits>;

/**
 * Limits in requests; larger values are taken for mistakes. A start accepts more, because runs and schedules with larger limits
 * must continue.
 */
export const RequestLimits = z.object({
  /** Default: no limit. The most tokens that models may take. */
  maxTokens: z.int().positive().max(1_000_000_000_000).optional(),
  /** Default: no limit. The most USD that models may cost, by `openai.prices`. */
  maxCostUsd: z.number().positive().max(1_000_000_000).optional(),
  /** Default: no limit. The longest that a run may take, pauses not counted, in milliseconds. */
  maxTimeMs: z.int().positive().max(MAX_TIME_MS).optional(),
}) satisfies z.ZodType<BudgetLimits>;

export const ModelChoice = z.object({
  /** The endpoint's name of the model. */
  name: z.string().min(1),
  /** Context window in tokens, input and output together. */
  contextTokens: z.int().positive(),
  /** Null if unknown; calls then cost nothing. */
  price: ModelPrice.nullable(),
});
export type ModelChoice = z.infer<typeof ModelChoice>;

/** Models by role. `overview` replaces `fast` in pass 1, and `deepDive` replaces `strong` from pass 2 on. */
export const ModelChoices = z.object({
  fast: ModelChoice,
  strong: ModelChoice,
  critic: ModelChoice,
  overview: ModelChoice.optional(),
  deepDive: ModelChoice.optional(),
});
export type ModelChoices = z.infer<typeof ModelChoices>;

/**
 * Counts that divide a run's work and so determine the commands in its history. A run keeps those of its start, whatever a later
 * release uses.
 */
export const RunShape = z.object({
  atOnce: z.int().positive(),
  sourcesABatch: z.int().positive(),
  /** Without a model, batches grow to keep their number below this. */
  mostBatches: z.int().positive(),
  /** Maximum batch size, even if that makes more batches. Absent in runs of older releases. */
  largestBatch: z.int().positive().optional(),
  /** Maximum number of summaries per plan, if no context window limits it. */
  summariesAtOnce: z.int().positive(),
  /** Number of sources that a model scores at once. */
  scoredAtOnce: z.int().positive(),
  /** More results than this are merged in groups of this size, and the history may end after them. */
  round: z.int().positive(),
});
export type RunShape = z.infer<typeof RunShape>;

export const RunMaterial = z.object({
  manifestRef: ArtifactRef,
  sourceCount: z.int().positive(),
  /** Characters of all contents; absent if unknown. */
  sourceChars: z.int().nonnegative().optional(),
  /** ISO 8601; `accessedAt` of sources without one. */
  asOf: z.string(),
});

export const RunEngine = z.object({
  engine: EngineName,
  /** Null or absent for an engine that calls no model. */
  models: ModelChoices.nullable().optional(),
  /** Versions of the steps, pinned at the start. */
  stepVersions: z.record(z.string(), z.string()),
});

export const RunConditions = z.object({
  /** Absent in runs of older releases. */
  shape: RunShape.optional(),
  budget: BudgetLimits,
  /** Default: retry for 1 day, then park. */
  outages: OutageSettings.optional(),
  webhook: Webhook.optional(),
  /** Without effect on the run. Absent if no model is called or no estimate was possible. */
  estimate: RunEstimate.optional(),
  /** False if the server does not have the search attributes and they could not be registered. */
  searchAttributes: z.boolean(),
  /** Name of the run's schedule. The server rejects long search attributes at every workflow task. */
  schedule: z.string().max(100).optional(),
  /** The previous run of the schedule, to report changes with the result. */
  since: PreviousRun.optional(),
  /**
   * Continues as new at the next end of a pass or of a round once the history has this many events. The server's suggestion also
   * applies.
   */
  continueAsNewAfterEvents: z.int().positive().optional(),
});

export interface RunInput extends z.infer<typeof RunEngine>, z.infer<typeof RunConditions> {
  runId: RunId;
  kind: RunKind;
  question: string;
  sourceCount: number;
  /** Absent if all sources are given, and for kinds that do not search. */
  search?: RunSearch | undefined;
}
