import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { BudgetLimits, EngineName, SynthesisSettings } from './core/contracts/run';
import { Secret } from './secret';

const Text = z.string().trim().min(1);

const Address = z
  .string()
  .regex(/^[^\s:/]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/)
  .describe('host:port, such as localhost:7233');

const SecretText = Text.transform((value) => new Secret(value));

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
  /** Default `extractive`. Who carries out the steps of a run. */
  engine: EngineName.default('extractive'),
  /** Default `.colligate` in the working directory. Stores, event log, and the files of an own Temporal server. */
  dataDir: Text.default('.colligate'),
  /** Default `reports`. A finished run's files go into a folder of its id in there. */
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
      baseUrl: z
        .url({ protocol: /^https?$/ })
        .describe('an http or https URL')
        .nullable()
        .default(null),
      /** Default none. From the environment only. */
      apiKey: SecretText.nullable().default(null),
    })
    .prefault({}),
  /** Each setting with its default in the contract: they are part of a run's input. */
  synthesis: CheckedSynthesisSettings.prefault({}),
  /** Default: no limits. A run keeps within them by doing less, never by losing the report. */
  budget: BudgetLimits.prefault({}),
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

/** Where each setting is found in the environment. */
export const environmentNames = {
  engine: 'COLLIGATE_ENGINE',
  dataDir: 'COLLIGATE_DATA_DIR',
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
  'synthesis.pass2FullContentCount': 'COLLIGATE_PASS_2_FULL_CONTENT_COUNT',
  'synthesis.pass3CrossRefCount': 'COLLIGATE_PASS_3_CROSS_REF_COUNT',
  'synthesis.maxTotalChars': 'COLLIGATE_MAX_TOTAL_CHARS',
  'synthesis.maxCharsPerSource': 'COLLIGATE_MAX_CHARS_PER_SOURCE',
  'synthesis.minCharsPerSource': 'COLLIGATE_MIN_CHARS_PER_SOURCE',
  'synthesis.minCitationsPerSection': 'COLLIGATE_MIN_CITATIONS_PER_SECTION',
  'synthesis.minTotalCitations': 'COLLIGATE_MIN_TOTAL_CITATIONS',
  'synthesis.targetReportLength': 'COLLIGATE_TARGET_REPORT_LENGTH',
  'synthesis.confidenceThreshold': 'COLLIGATE_CONFIDENCE_THRESHOLD',
  'budget.maxTokens': 'COLLIGATE_MAX_TOKENS',
  'budget.maxCostUsd': 'COLLIGATE_MAX_COST_USD',
  'budget.maxTimeMs': 'COLLIGATE_MAX_TIME_MS',
  'worker.maxConcurrentActivities': 'COLLIGATE_MAX_CONCURRENT_ACTIVITIES',
  'worker.threads': 'COLLIGATE_THREADS',
  'worker.shutdownGraceMs': 'COLLIGATE_SHUTDOWN_GRACE_MS',
} as const;

export type SettingPath = keyof typeof environmentNames;

/** `Object.keys` forgets that it knows the keys of a constant. */
export const settingPaths = Object.keys(environmentNames) as SettingPath[];

export const secretPaths: readonly SettingPath[] = ['temporal.apiKey', 'openai.apiKey'];

/** Flags whose name is not the setting's own last word. */
const flagNames: Partial<Record<SettingPath, string>> = {
  outDir: '--out',
  'synthesis.targetReportLength': '--words',
};

/** The flag that the command line gives a setting. */
export function flagName(path: SettingPath): string {
  const lastWord = path.slice(path.lastIndexOf('.') + 1);
  return flagNames[path] ?? `--${lastWord.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
