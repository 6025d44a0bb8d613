import { z } from 'zod';
import { EngineName, OutageSettings, RunId, RunKind, Warning } from './run';
import { ArtifactRef, SourceId } from './source';

/** An index that can be asked; what it covers, its limits and terms stand in docs/sources.md. */
interface SearchIndex {
  /** Where its service is; null where everybody runs their own. */
  readonly address: string | null;
  readonly key: 'none' | 'optional' | 'required';
  /** The variable that has the key. */
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

type NameOfIndex = keyof typeof SEARCH_INDEXES;

export const SearchIndexName = z.enum(Object.keys(SEARCH_INDEXES) as NameOfIndex[]); // `Object.keys` forgets the keys of a constant
export type SearchIndexName = z.infer<typeof SearchIndexName>;

export const IndexSettings = z.object({
  url: z.url({ protocol: /^https?$/ }).nullable(),
  /** An address of email for indexes that ask whom they may write to. */
  contact: z.email().nullable(),
});
export type IndexSettings = z.infer<typeof IndexSettings>;

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
    /** All that were read; null where that is not known. */
    read: z.object({ changed: Count, came: Count, went: Count, unchanged: Count }).nullable(),
    newlyCited: Count,
    noLongerCited: Count,
    inBoth: Count,
  }),
});
export type DiffSummary = z.infer<typeof DiffSummary>;

/** The run before another one: what it left, and what it was given, where that was stored as a list of sources. */
export const RunBefore = z.object({
  runId: RunId,
  reportRef: ArtifactRef,
  manifestRef: ArtifactRef.optional(),
  /** Of when it is, ISO 8601. */
  asOf: z.string().optional(),
});
export type RunBefore = z.infer<typeof RunBefore>;

/** What is told of a change, in the order of its weight. */
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
  /** Of when that is, ISO 8601; null where it is not kept any more. */
  asOf: z.string().nullable(),
  /** Null where it is not kept any more, so that nothing could be compared. */
  changed: z.boolean().nullable(),
  /** The counts of `diff`. */
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

/** What the workflow that tells of an ended run is started with: `messageId` is the same however often it is told. */
export const WebhookStart = z.object({
  ...Webhook.shape,
  ...EndedRun.shape,
  messageId: z.string().min(1).max(200),
});
export type WebhookStart = z.infer<typeof WebhookStart>;

export const PromptOrigin = z.object({
  name: z.string().min(1),
  version: z.string().min(1),
  /** Those that the version had when the run began. */
  labels: z.array(z.string()),
  from: z.enum(['code', 'langfuse']),
});
export type PromptOrigin = z.infer<typeof PromptOrigin>;

/** A prompt that takes the place of a step's own, with its text as it was when the run began. */
export const PinnedPrompt = PromptOrigin.extend({
  from: z.literal('langfuse'),
  template: z.object({ system: z.string(), user: z.string() }),
});
export type PinnedPrompt = z.infer<typeof PinnedPrompt>;

/** The prompts that a run was pinned to when it began; a step that is not named is given its own. */
export const PinnedPrompts = z.object({
  prompts: z.record(z.string(), PinnedPrompt),
  warnings: z.array(Warning),
});
export type PinnedPrompts = z.infer<typeof PinnedPrompts>;

const UsdPerMillion = z.number().min(0).max(100_000);

/** What a model's tokens cost, in USD per million. */
export const ModelPrice = z.object({ input: UsdPerMillion, output: UsdPerMillion });
export type ModelPrice = z.infer<typeof ModelPrice>;

/** Prices by the model's name as the endpoint knows it. */
export const PriceTable = z.record(z.string().min(1), ModelPrice);
export type PriceTable = z.infer<typeof PriceTable>;

/** What a run is expected to ask of models, reckoned from its sources and settings before its first call. */
export const RunEstimate = z.object({
  /** With a fraction, as some calls are not always made. */
  calls: z.number().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  /** Null where the price of a model is not known. */
  costUsd: z.number().nonnegative().nullable(),
  /** The smallest call that writes the text: under a limit below it no model writes anything. */
  smallestCall: z.object({
    tokens: z.int().nonnegative(),
    costUsd: z.number().nonnegative().nullable(),
  }),
  /** The endpoint's names of the models, that of the most expensive part first. */
  models: z.array(z.string()).min(1),
});
export type RunEstimate = z.infer<typeof RunEstimate>;

/** The longest that anything may be told to take or to be kept: ten years. */
export const MAX_TIME_MS = 315_360_000_000;

/** Limits on spending; absent means no limit. Time is run time, pauses not counted. */
export const BudgetLimits = z.object({
  maxTokens: z.int().positive().optional(),
  maxCostUsd: z.number().positive().optional(),
  maxTimeMs: z.int().positive().optional(),
});
export type BudgetLimits = z.infer<typeof BudgetLimits>;

/**
 * The limits as people and services are asked for them: what is above these bounds is a slip. A start takes more, because runs
 * and schedules that were begun with more have to go on.
 */
export const AskedLimits = z.object({
  /** Default: no limit. The most tokens that models may take. */
  maxTokens: z.int().positive().max(1_000_000_000_000).optional(),
  /** Default: no limit. The most USD that models may cost, by `openai.prices`. */
  maxCostUsd: z.number().positive().max(1_000_000_000).optional(),
  /** Default: no limit. The longest that a run may take, pauses not counted, in milliseconds. */
  maxTimeMs: z.int().positive().max(MAX_TIME_MS).optional(),
}) satisfies z.ZodType<BudgetLimits>;

export const ModelChoice = z.object({
  /** By the endpoint's name for it. */
  name: z.string().min(1),
  /** How many tokens it takes, question and answer together. */
  contextTokens: z.int().positive(),
  /** Null where it is not known; a call then counts as costing nothing. */
  price: ModelPrice.nullable(),
});
export type ModelChoice = z.infer<typeof ModelChoice>;

/** The model of each role; `overview` in the place of the fast one in pass 1, `deepDive` of the strong one from pass 2 on. */
export const ModelChoices = z.object({
  fast: ModelChoice,
  strong: ModelChoice,
  critic: ModelChoice,
  overview: ModelChoice.optional(),
  deepDive: ModelChoice.optional(),
});
export type ModelChoices = z.infer<typeof ModelChoices>;

/**
 * The counts that decide how a run's work is cut up, and so the commands in its history: what a run was started with holds
 * to its end, whatever a later release cuts.
 */
export const RunShape = z.object({
  atOnce: z.int().positive(),
  sourcesABatch: z.int().positive(),
  /** Where no model is asked batches grow, so that there are no more than this. */
  mostBatches: z.int().positive(),
  /** No batch grows beyond this: there are more than that of them then. Absent in runs from before it was a part of the input. */
  largestBatch: z.int().positive().optional(),
  /** So many summaries are planned from at once, where no window limits it. */
  summariesAtOnce: z.int().positive(),
  /** So many sources are scored at once, where a model is asked. */
  scoredAtOnce: z.int().positive(),
  /** Of more results than this each so many are joined into one, and the history may end behind them. */
  round: z.int().positive(),
});
export type RunShape = z.infer<typeof RunShape>;

export const RunMaterial = z.object({
  manifestRef: ArtifactRef,
  sourceCount: z.int().positive(),
  /** How many characters their contents have together; absent where it is not known. */
  sourceChars: z.int().nonnegative().optional(),
  /** `accessedAt` of sources whose record has none; an ISO 8601 time. */
  asOf: z.string(),
});

export const RunEngine = z.object({
  engine: EngineName,
  /** Null or absent for an engine that asks no model. */
  models: ModelChoices.nullable().optional(),
  /** The step versions in use, pinned at the start. */
  stepVersions: z.record(z.string(), z.string()),
});

export const RunConditions = z.object({
  /** Absent in runs from before it was a part of the input. */
  shape: RunShape.optional(),
  budget: BudgetLimits,
  /** Absent: a day of patience, then parked. */
  outages: OutageSettings.optional(),
  webhook: Webhook.optional(),
  /** What it is expected to ask of models; of no effect on the run. Absent where no model is asked, and where it is not known. */
  estimate: RunEstimate.optional(),
  /** False where the server does not know the search attributes and they could not be registered. */
  searchAttributes: z.boolean(),
  /** The schedule that the run is of; the server refuses long search attributes, at every workflow task. */
  schedule: z.string().max(100).optional(),
  /** The run before, of the same schedule: what changed since is told with the result. */
  since: RunBefore.optional(),
  /** Continues as new at the next end of a pass, or of a round within it, once the history has so many events; the server's suggestion holds besides. */
  continueAsNewAfterEvents: z.int().positive().optional(),
});

export interface RunInput extends z.infer<typeof RunEngine>, z.infer<typeof RunConditions> {
  runId: RunId;
  kind: RunKind;
  question: string;
  sourceCount: number;
  /** Where it looks for sources itself; absent where all are given, and of kinds that look for none. */
  search?: RunSearch | undefined;
}
