import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { BriefSettings } from '../contracts/brief/brief-settings';
import { JudgeSettings } from '../contracts/judge/rubric';
import { PriceTable } from '../contracts/run/prices';
import { MAX_PATIENCE_MS } from '../contracts/run/outages';
import { BudgetLimits } from '../contracts/run/run-input';
import { EngineName } from '../contracts/run/run';
import { SynthesisSettings } from '../contracts/report/synthesis-settings';
import { DEFAULT_PATIENCE_MS } from '../core/run/patience';
import { storeKinds } from '../stores/open-stores';
import { LangfuseSettings, PromptSettings, TelemetrySettings } from './outside-settings';
import { HttpUrl, SecretText, Text } from './setting-types';

const Address = z
  .string()
  .regex(/^[^\s:/]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/)
  .describe('host:port, such as localhost:7233');

const CharLimits = SynthesisSettings.pick({
  minCharsPerSource: true,
  maxCharsPerSource: true,
  maxTotalChars: true,
});

/** Checked beside the settings' own limits, as soon as these three are good, so that all problems show at once. */
const CheckedSynthesisSettings = SynthesisSettings.refine(
  (settings) => settings.minCharsPerSource <= settings.maxCharsPerSource,
  {
    path: ['minCharsPerSource'],
    error: 'at most what synthesis.maxCharsPerSource is',
    when: ({ value }) => CharLimits.safeParse(value).success,
  },
).refine((settings) => settings.maxCharsPerSource <= settings.maxTotalChars, {
  path: ['maxCharsPerSource'],
  error: 'at most what synthesis.maxTotalChars is',
  when: ({ value }) => CharLimits.safeParse(value).success,
});

/** Every setting with its default and its effect. A key here is a key of `colligate.config.json`. */
export const ConfigSchema = z.object({
  /** Default `openai` where an endpoint and its models are set, else `extractive`. Who carries out the steps of a run. */
  engine: EngineName.default('extractive'),
  /** Default `.colligate` in the working directory. Stores, event log, and the files of an own Temporal server. */
  dataDir: Text.default('.colligate'),
  /** Default `lmdb`, files in `dataDir`. What keeps contents, events and responses. */
  stores: z.enum(storeKinds).default('lmdb'),
  /** Default `reports`. A finished run's files go into a folder of its id in there; the file may call it `report.outputDir`. */
  outDir: Text.default('reports'),
  /** Default: `colligate` in the user's cache directory. Downloads that are shared by all projects of the user. */
  cacheDir: Text.optional(),
  /** Default `info`. The least severe log line that is written. */
  logLevel: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default('info'),
  temporal: z
    .object({
      /** Default none: an own development server in `dataDir` is started. A running server to use instead. */
      address: Address.nullable().default(null),
      /** Default `default`. The namespace in which runs live. */
      namespace: Text.default('default'),
      /** Default `colligate`. Workers and clients meet on this task queue. */
      taskQueue: Text.default('colligate'),
      /** Default false. Whether to connect with TLS; an API key turns it on. */
      tls: z.boolean().default(false),
      /** Default none. Sent with each request to the server. From the environment only. */
      apiKey: SecretText.nullable().default(null),
    })
    .prefault({}),
  openai: z
    .object({
      /** Default none. Where an OpenAI-compatible endpoint is. */
      baseUrl: HttpUrl.nullable().default(null),
      /** Default none. From the environment only. */
      apiKey: SecretText.nullable().default(null),
      /** Default none. A file that holds the key and nothing else; `apiKey` wins where both are given. */
      apiKeyFile: Text.nullable().default(null),
      models: z
        .object({
          /** Default none. The endpoint's name of the model for summaries and the outline. */
          fast: Text.nullable().default(null),
          /** Default none. The model for findings, cross-checks and the text. */
          strong: Text.nullable().default(null),
          /** Default: the strong model. Judges what another model wrote. */
          critic: Text.nullable().default(null),
          /** Default none: passages are found by their words alone. Finds those that mean the same as well. */
          embedding: Text.nullable().default(null),
        })
        .prefault({}),
      /** Default none: calls count as costing nothing. By model; in the file only. */
      prices: PriceTable.describe(
        'for each model `{ "input": …, "output": … }` in USD per million tokens',
      ).default({}),
      /** Default 128,000 for each model. How many tokens a model takes, question and answer together; in the file only. */
      contextTokens: z
        .record(z.string().min(1), z.int().min(512).max(100_000_000))
        .describe('for each model a whole number of tokens of at least 512')
        .default({}),
      /** Default 300,000. The longest that a call may take, in milliseconds. */
      timeoutMs: z.int().min(1_000).max(3_600_000).default(300_000),
      /** Default 180,000. The longest that a model may read before it says its first word, in milliseconds. */
      firstByteMs: z.int().min(1_000).max(3_600_000).default(180_000),
      /** Default 60,000. The longest that a stream may be silent after that, in milliseconds. */
      inactivityMs: z.int().min(1_000).max(3_600_000).default(60_000),
      /** Default 4. How many calls a worker has under way at once. */
      maxConcurrentCalls: z.int().min(1).max(200).default(8),
      /** Default: no limit. How many calls a worker begins within a second. */
      requestsPerSecond: z.number().min(0.01).max(1_000).nullable().default(null),
      /** Default 30 days. How long a response is kept for whoever asks the same, in milliseconds. */
      cacheTtlMs: z.int().min(60_000).max(31_536_000_000).default(2_592_000_000),
    })
    .prefault({}),
  prompts: PromptSettings.prefault({}),
  langfuse: LangfuseSettings.prefault({}),
  telemetry: TelemetrySettings.prefault({}),
  /** Each setting with its default in the contract: they are part of a run's input. */
  synthesis: CheckedSynthesisSettings.prefault({}),
  report: z
    .object({
      /** Default 10,000. The most words that a brief should have where none are wanted; a longer one is warned about. */
      maxLength: BriefSettings.shape.maxWords,
      /** Default `brief`. The name of a template that ships, or the file of one. */
      template: Text.default('brief'),
    })
    .prefault({}),
  /** Each setting with its default in the contract: they are part of a run's input. */
  brief: BriefSettings.pick({ oneCallWords: true, unsupportedClaims: true }).prefault({}),
  /** As those of a brief; the rubric's table in the file only. */
  judge: JudgeSettings.extend({
    rubric: JudgeSettings.shape.rubric
      .unwrap()
      .strict()
      .prefault({})
      .describe(
        'for each dimension `{ "weight": 0 to 1, "asks": "…" }`; dimensions are factualAccuracy, completeness, coverage, coherence, bias',
      ),
  }).prefault({}),
  /** Default: no limits. A run keeps within them by doing less, never by losing the report. */
  budget: BudgetLimits.prefault({}),
  outages: z
    .object({
      /** Default a day. How long a run tries on by itself where the endpoint, the store or a worker is away, in milliseconds; then it is paused until it is resumed. */
      patienceMs: z.int().min(0).max(MAX_PATIENCE_MS).default(DEFAULT_PATIENCE_MS),
    })
    .prefault({}),
  worker: z
    .object({
      /** Default 8. How many activities a worker carries out at once. */
      maxConcurrentActivities: z.int().min(1).max(200).default(8),
      /** Default: the machine's processors. How many threads do the computing. */
      threads: z
        .int()
        .min(1)
        .max(64)
        .default(() => Math.min(64, availableParallelism())),
      /** Default 10,000. How long a worker that is told to stop lets activities finish, in milliseconds. */
      shutdownGraceMs: z.int().min(0).max(600_000).default(10_000),
    })
    .prefault({}),
});

/** What engines read of the settings. */
export type EngineSettings = Pick<z.infer<typeof ConfigSchema>, 'openai' | 'dataDir'>;

/** What is read of the settings for prompts and traces elsewhere. */
export type OutsideSettings = Pick<z.infer<typeof ConfigSchema>, 'prompts' | 'langfuse' | 'telemetry'>;

/** Where each setting is found in the environment. */
export const environmentNames = {
  engine: 'COLLIGATE_ENGINE',
  dataDir: 'COLLIGATE_DATA_DIR',
  stores: 'COLLIGATE_STORES',
  outDir: 'COLLIGATE_OUT_DIR',
  cacheDir: 'COLLIGATE_CACHE_DIR',
  logLevel: 'COLLIGATE_LOG_LEVEL',
  'temporal.address': 'TEMPORAL_ADDRESS',
  'temporal.namespace': 'TEMPORAL_NAMESPACE',
  'temporal.taskQueue': 'COLLIGATE_TASK_QUEUE',
  'temporal.tls': 'TEMPORAL_TLS',
  'temporal.apiKey': 'TEMPORAL_API_KEY',
  'openai.baseUrl': 'OPENAI_BASE_URL',
  'openai.apiKey': 'OPENAI_API_KEY',
  'openai.apiKeyFile': 'OPENAI_API_KEY_FILE',
  'openai.models.fast': 'COLLIGATE_MODEL_FAST',
  'openai.models.strong': 'COLLIGATE_MODEL_STRONG',
  'openai.models.critic': 'COLLIGATE_MODEL_CRITIC',
  'openai.models.embedding': 'COLLIGATE_MODEL_EMBEDDING',
  'openai.timeoutMs': 'COLLIGATE_MODEL_TIMEOUT_MS',
  'openai.firstByteMs': 'COLLIGATE_MODEL_FIRST_BYTE_MS',
  'openai.inactivityMs': 'COLLIGATE_MODEL_INACTIVITY_MS',
  'openai.maxConcurrentCalls': 'COLLIGATE_MAX_CONCURRENT_CALLS',
  'openai.requestsPerSecond': 'COLLIGATE_REQUESTS_PER_SECOND',
  'openai.cacheTtlMs': 'COLLIGATE_CACHE_TTL_MS',
  'synthesis.enableMultiPass': 'COLLIGATE_ENABLE_MULTI_PASS',
  'synthesis.pass1SummaryCount': 'COLLIGATE_PASS_1_SUMMARY_COUNT',
  'synthesis.pass2FullContentCount': 'COLLIGATE_PASS_2_FULL_CONTENT_COUNT',
  'synthesis.pass3CrossRefCount': 'COLLIGATE_PASS_3_CROSS_REF_COUNT',
  'synthesis.maxTotalChars': 'COLLIGATE_MAX_TOTAL_CHARS',
  'synthesis.maxCharsPerSource': 'COLLIGATE_MAX_CHARS_PER_SOURCE',
  'synthesis.minCharsPerSource': 'COLLIGATE_MIN_CHARS_PER_SOURCE',
  'synthesis.minCitationsPerSection': 'COLLIGATE_MIN_CITATIONS_PER_SECTION',
  'synthesis.minTotalCitations': 'COLLIGATE_MIN_TOTAL_CITATIONS',
  'synthesis.targetReportLength': 'COLLIGATE_TARGET_REPORT_LENGTH',
  'synthesis.enableCrossReference': 'COLLIGATE_ENABLE_CROSS_REFERENCE',
  'synthesis.enableFactChecking': 'COLLIGATE_ENABLE_FACT_CHECKING',
  'synthesis.enableConflictDetection': 'COLLIGATE_ENABLE_CONFLICT_DETECTION',
  'synthesis.confidenceThreshold': 'COLLIGATE_CONFIDENCE_THRESHOLD',
  'synthesis.overviewModel': 'COLLIGATE_OVERVIEW_MODEL',
  'synthesis.deepdiveModel': 'COLLIGATE_DEEPDIVE_MODEL',
  'synthesis.citationStyle': 'COLLIGATE_CITATION_STYLE',
  'synthesis.unsupportedClaims': 'COLLIGATE_UNSUPPORTED_CLAIMS',
  'report.maxLength': 'COLLIGATE_REPORT_MAX_LENGTH',
  'report.template': 'COLLIGATE_REPORT_TEMPLATE',
  'brief.oneCallWords': 'COLLIGATE_BRIEF_ONE_CALL_WORDS',
  'brief.unsupportedClaims': 'COLLIGATE_BRIEF_UNSUPPORTED_CLAIMS',
  'judge.enabled': 'COLLIGATE_JUDGE_ENABLED',
  'judge.threshold': 'COLLIGATE_JUDGE_THRESHOLD',
  'judge.maxRevisions': 'COLLIGATE_JUDGE_MAX_REVISIONS',
  'prompts.provider': 'COLLIGATE_PROMPT_PROVIDER',
  'prompts.label': 'COLLIGATE_PROMPT_LABEL',
  'prompts.cacheTtlMs': 'COLLIGATE_PROMPT_CACHE_TTL_MS',
  'prompts.timeoutMs': 'COLLIGATE_PROMPT_TIMEOUT_MS',
  'langfuse.baseUrl': 'LANGFUSE_BASE_URL',
  'langfuse.publicKey': 'LANGFUSE_PUBLIC_KEY',
  'langfuse.secretKey': 'LANGFUSE_SECRET_KEY',
  'telemetry.endpoint': 'OTEL_EXPORTER_OTLP_ENDPOINT',
  'telemetry.headers': 'OTEL_EXPORTER_OTLP_HEADERS',
  'telemetry.langfuse': 'COLLIGATE_TELEMETRY_LANGFUSE',
  'telemetry.content': 'COLLIGATE_TELEMETRY_CONTENT',
  'budget.maxTokens': 'COLLIGATE_MAX_TOKENS',
  'budget.maxCostUsd': 'COLLIGATE_MAX_COST_USD',
  'budget.maxTimeMs': 'COLLIGATE_MAX_TIME_MS',
  'outages.patienceMs': 'COLLIGATE_PATIENCE_MS',
  'worker.maxConcurrentActivities': 'COLLIGATE_MAX_CONCURRENT_ACTIVITIES',
  'worker.threads': 'COLLIGATE_THREADS',
  'worker.shutdownGraceMs': 'COLLIGATE_SHUTDOWN_GRACE_MS',
} as const;

/** What an engine cannot do without; one that is not named here does with what is always there. */
export const neededByEngine: Readonly<Partial<Record<EngineName, readonly NamedSettingPath[]>>> = {
  // The critic is the strong model where it is not set.
  openai: ['openai.baseUrl', 'openai.models.fast', 'openai.models.strong'],
};

/** Tables, for which a variable or a flag has no room. */
export const fileOnlyPaths = [
  'openai.prices',
  'openai.contextTokens',
  'prompts.versions',
  'prompts.names',
  'synthesis.sourceQualityRules',
  'judge.rubric',
] as const;

/** Other names that the file may have for a setting: document 000 calls the folder of reports `report.output_dir`. */
export const fileAliases: Readonly<Record<string, SettingPath>> = { 'report.outputDir': 'outDir' };

/** A setting that a variable or a flag can give. */
export type NamedSettingPath = keyof typeof environmentNames;

export type SettingPath = NamedSettingPath | (typeof fileOnlyPaths)[number];

/** `Object.keys` forgets that it knows the keys of a constant. */
export const namedSettingPaths = Object.keys(environmentNames) as NamedSettingPath[];

export const settingPaths: readonly SettingPath[] = [...namedSettingPaths, ...fileOnlyPaths];

export const secretPaths: readonly NamedSettingPath[] = [
  'temporal.apiKey',
  'openai.apiKey',
  'langfuse.publicKey',
  'langfuse.secretKey',
  'telemetry.headers',
];
