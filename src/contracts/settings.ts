import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { Secret } from '../lib/process';
import { isLoopback, parseUrl } from '../lib/url';
import { DEFAULT_CONTEXT_TOKENS, priceOf } from './budget';
import { ANSWER_PATIENCE_MS, DEFAULT_PATIENCE_MS, engineNames } from './pipeline';
import { MAX_PATIENCE_MS } from './run';
import {
  type IndexSettings,
  type ModelChoices,
  PriceTable,
  RequestLimits,
  SEARCH_INDEXES,
  SearchBounds,
  type SearchIndexName,
} from './run-input';
import {
  AnswerSettings,
  BriefSettings,
  JudgeSettings,
  SynthesisSettings,
  TextsShown,
  WorkerRoles,
} from './run-settings';

type PassModels = Pick<SynthesisSettings, 'overviewModel' | 'deepdiveModel'>;

/**
 * The configured models with their context windows and prices, for a run's input; null if the fast or the strong one is not set.
 */
export function modelChoices(
  openai: EngineSettings['openai'],
  { overviewModel, deepdiveModel }: PassModels = { overviewModel: null, deepdiveModel: null },
): ModelChoices | null {
  const { fast, strong, critic } = openai.models;
  if (fast === null || strong === null) return null;
  const choice = (name: string): ModelChoices['fast'] => ({
    name,
    contextTokens: openai.contextTokens[name] ?? DEFAULT_CONTEXT_TOKENS,
    price: priceOf(openai.prices, name),
  });
  return {
    fast: choice(fast),
    strong: choice(strong),
    critic: choice(critic ?? strong),
    ...(overviewModel === null ? {} : { overview: choice(overviewModel) }),
    ...(deepdiveModel === null ? {} : { deepDive: choice(deepdiveModel) }),
  };
}

const Text = z.string().trim().min(1);

const SecretText = Text.transform((value) => new Secret(value));

/** The format of Standard Webhooks. */
const WebhookSecret = Text.regex(
  /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/,
  'it is "whsec_" and 24 to 64 bytes in base64',
)
  .describe('whsec_ and 24 to 64 bytes in base64')
  .transform((value) => new Secret(value));

const HttpUrl = z.url({ protocol: /^https?$/ }).describe('an http or https URL');

/** Part of requests and histories, so it must not contain a key. */
const ServiceUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/[?#@]/.test(url))
  .describe('an http or https URL without a query, a name and a password');

const openIndex = (address: string) =>
  z.object({
    /** Where its API is: its own, or that of somebody who stands before it. */
    url: ServiceUrl.default(address),
  });

const keyedIndex = (address: string) =>
  openIndex(address).extend({
    /** Default none. From the environment only. */
    apiKey: SecretText.nullable().default(null),
    /** Default none. A file that holds the key and nothing else; `apiKey` wins where both are given. */
    apiKeyFile: Text.nullable().default(null),
  });

const SearchSettings = z.object({
  ...SearchBounds.shape,
  searxng: z
    .object({
      /** Default none. Where your SearXNG is; one of this machine or its network needs `fetch.allow` too, and its `search.formats` need `json`. */
      url: ServiceUrl.nullable().default(null),
    })
    .prefault({}),
  tavily: keyedIndex(SEARCH_INDEXES.tavily.address).prefault({}),
  brave: keyedIndex(SEARCH_INDEXES.brave.address).prefault({}),
  openalex: keyedIndex(SEARCH_INDEXES.openalex.address).prefault({}),
  arxiv: openIndex(SEARCH_INDEXES.arxiv.address).prefault({}),
  pubmed: keyedIndex(SEARCH_INDEXES.pubmed.address).prefault({}),
});
type SearchSettings = z.infer<typeof SearchSettings>;

export const KEYED_INDEXES = ['tavily', 'brave', 'openalex', 'pubmed'] as const;
type KeyedIndex = (typeof KEYED_INDEXES)[number];

/** A key in the settings takes precedence over one in a file. */
export function withFileKeys(
  settings: SearchSettings,
  keys: ReadonlyMap<KeyedIndex, Secret | null>,
): SearchSettings {
  const keyedOnes = KEYED_INDEXES.map((name) => {
    const { [name]: own } = settings;
    return [name, { ...own, apiKey: own.apiKey ?? keys.get(name) ?? null }] as const;
  });
  return { ...settings, ...Object.fromEntries(keyedOnes) };
}

/** The settings of an index, and separately its key, which must not be part of a request. */
export function indexSettingsOf(
  { search, fetch: { contact } }: { search: SearchSettings; fetch: { contact: string | null } },
  name: SearchIndexName,
): { settings: IndexSettings; key: Secret | null } {
  const { [name]: own } = search;
  // OpenAlex and PubMed write to the contact before they block a client. They accept email addresses only.
  const email = contact?.includes('@') === true && !contact.includes('/') ? contact : null;
  return { settings: { url: own.url, contact: email }, key: 'apiKey' in own ? own.apiKey : null };
}

const PromptProvider = z.enum(['code', 'langfuse']);

/** The format of the OpenTelemetry specification; values may be percent-encoded. */
const HeaderList = z
  .string()
  .trim()
  .regex(/^[^\s=,]+=[^,]*(,\s*[^\s=,]+=[^,]*)*,?$/)
  .transform((value) => new Secret(value))
  .describe('name=value pairs with commas between them');

const PromptSettings = z.object({
  /** Default `code`. Whose prompts a run's models are given: the program's own, or Langfuse's with those behind them. */
  provider: PromptProvider.default('code'),
  /** Default `production`. The label whose version of each prompt is taken (document 001: the environment). */
  label: Text.default('production'),
  /** Default none: the version that the label names, as for a step whose version is null. By step. */
  versions: z
    .record(Text, z.int().positive().nullable())
    .describe('for each step a version, a whole number of at least 1, or null')
    .default({}),
  /** Default: the step's own name; of an answer also document 001's, `synthesis`. What Langfuse calls a step's prompt. */
  names: z.record(Text, Text).describe('for each step the name of its prompt').default({}),
  /** Default 60,000. How long a prompt that was fetched counts as the newest, in milliseconds. */
  cacheTtlMs: z.int().min(0).max(86_400_000).default(60_000),
  /** Default 2,000. The longest that the start of a run waits for prompts, in milliseconds. */
  timeoutMs: z.int().min(100).max(60_000).default(2_000),
});

const LangfuseSettings = z.object({
  /** Default none. Where Langfuse is. */
  baseUrl: HttpUrl.nullable().default(null),
  /** Default none. From the environment only. */
  publicKey: SecretText.nullable().default(null),
  /** Default none. From the environment only. */
  secretKey: SecretText.nullable().default(null),
});

const TelemetrySettings = z.object({
  /** Default none: no traces. Where an OpenTelemetry collector takes OTLP over HTTP; `/v1/traces` is added. */
  endpoint: HttpUrl.nullable().default(null),
  /** Default none. Sent to the collector with each export. From the environment only. */
  headers: HeaderList.nullable().default(null),
  /** Default false. Whether Langfuse gets traces too. */
  langfuse: z.boolean().default(false),
  /** Default false. Whether traces have what models are asked and answer, and what steps are given and make. */
  content: z.boolean().default(false),
});

const DAY_MS = 86_400_000;

/** `lmdb`: files in the data folder, for processes of one machine. `redis`: a server, for workers on many machines. */
const StoreChoice = z.enum(['lmdb', 'redis']);

const RedisSettings = z.object({
  /** Default none. Where Redis is; `rediss:` for TLS. From the environment only. */
  url: z
    .url({ protocol: /^rediss?$/ })
    .transform((value) => new Secret(value))
    .describe('redis://[user:password@]host[:port][/db], or rediss: for TLS')
    .nullable()
    .default(null),
  /** Default `colligate`. Begins every key, so that several installations may share a server. */
  keyPrefix: Text.regex(/^[\w.-]{1,40}$/)
    .describe('1 to 40 letters, digits, dots, dashes or underscores')
    .default('colligate'),
  /** Default 90 days. After so long without use a key is let go, in milliseconds: longer than any run and than `retention.keepMs`. */
  ttlMs: z
    .int()
    .min(DAY_MS)
    .max(3_650 * DAY_MS)
    .default(90 * DAY_MS),
});

/** Origin of a web page, without a path. */
const Origin = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^https?:\/\/(?:[^\s:/@?#[\]]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/)
  .describe('such as https://colligate.example');

const HttpSettings = z.object({
  /** Default 127.0.0.1. The address that `serve` listens on. Where others reach it, each request needs a token. */
  host: Text.default('127.0.0.1'),
  /** Default 8787. Its port. */
  port: z.int().min(0).max(65_535).default(8_787),
  /** Default none. By which addresses the face is asked besides its own, such as that of the proxy before it; requests that name another are refused. */
  origins: z
    .preprocess(
      (given) => (typeof given === 'string' ? given.split(',').map((origin) => origin.trim()) : given),
      z.array(Origin),
    )
    .describe('addresses such as https://colligate.example, with commas between them')
    .default([]),
  /** Default 268,435,456. How many bytes the files that are uploaded with a request may have together. */
  maxUploadBytes: z.int().min(1_024).max(100_000_000_000).default(268_435_456),
  /** Default 100. How many runs of one owner may be running when one more is started; a start above it is answered with 429. */
  maxRunsPerOwner: z.int().min(1).max(100_000).default(100),
});

const BriefDefaults = z.object({
  /** Default 10,000. The most words that a brief should have where none are wanted; a longer one is warned about. */
  maxLength: BriefSettings.shape.maxWords,
  /** Default `brief`. The name of a template that ships, or the file of one. */
  template: Text.default('brief'),
});

/** The contract has the defaults, because these settings are part of a run's input. */
const BriefWriting = BriefSettings.pick({
  oneCallWords: true,
  temperature: true,
  unsupportedClaims: true,
});

/** Rejects unknown dimensions. */
const ConfiguredJudge = JudgeSettings.extend({
  /** What is judged: how much each dimension counts, and what a judge that is a model is asked. */
  rubric: JudgeSettings.shape.rubric
    .unwrap()
    .strict()
    .prefault({})
    .describe(
      'for each dimension `{ "weight": 0 to 1, "asks": "…" }`; dimensions are factualAccuracy, completeness, coverage, coherence, bias; answerFirst, readability and length have no weight',
    ),
});

const WorkerSettings = z.object({
  /** Default 8. How many activities a worker carries out at once. */
  maxConcurrentActivities: z.int().min(1).max(200).default(8),
  /** Default: the machine's processors. How many threads do the computing. */
  threads: z
    .int()
    .min(1)
    .max(64)
    .default(() => Math.min(64, availableParallelism())),
  /** Default 10,000. How long a worker or `serve` that is told to stop lets activities and requests finish, in milliseconds. */
  shutdownGraceMs: z.int().min(0).max(600_000).default(10_000),
  /** Default all of them. Which work a worker takes: `runs` (workflows and their bookkeeping), `computing`, `models`. */
  roles: WorkerRoles.default(['runs', 'computing', 'models']),
  /** Default none. The port on which a worker tells its health (`/healthz`, `/readyz`) and Prometheus metrics (`/metrics`). */
  httpPort: z.int().min(0).max(65_535).nullable().default(null),
  /** Default 127.0.0.1. The address of that port. */
  httpHost: Text.default('127.0.0.1'),
  /** Default none: workers have no versions. The name of the deployment of which this worker's build is a version. */
  deployment: Text.nullable().default(null),
  /** Default: the package's version. The build of a worker that has a deployment. */
  buildId: Text.nullable().default(null),
});

const WebhookSettings = z.object({
  /** Default none: nobody is told when a run ends. With what it is signed that somebody is told, as Standard Webhooks has it: `whsec_` and 24 to 64 bytes in base64. From the environment only. */
  secret: WebhookSecret.nullable().default(null),
});

const EncryptionSettings = z.object({
  /** Default none: payloads stand in histories as they are. `id:key` pairs with commas between them, each key 32 bytes in base64; the first encrypts, all decrypt. Those of the key file where that alone is given. From the environment only. */
  keys: SecretText.nullable().default(null),
  /** Default none. A file that holds such pairs, one a line, and remarks behind `#`; `keys` wins where both are given. */
  keyFile: Text.nullable().default(null),
});

const RetentionSettings = z.object({
  /** Default: for ever. How long after its end a run is kept, in milliseconds; workers with the role `runs` delete what ended before. Temporal's own retention of histories is another. */
  keepMs: z.int().min(60_000).max(315_360_000_000).nullable().default(null),
});

/** The contract has the defaults, because these settings are part of a run's input. `model` becomes one of the run's models. */
const ConfiguredAnswers = AnswerSettings.extend({
  /** Default: the fast model. The model that writes answers, and reads for them (document 001: `synthesis.model`). */
  model: Text.nullable().default(null),
  /** Default two minutes. How long an answer waits for what is away, in milliseconds; its reply then says what is missing. */
  patienceMs: z.int().min(0).max(MAX_PATIENCE_MS).default(ANSWER_PATIENCE_MS),
});

/** In the format that the fetcher compares. */
const AllowedHost = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(?:[^\s:/@?#[\]]+|\[[0-9a-f:.]+\]):\d{1,5}$/)
  .describe('host:port, such as wiki.intranet:443');

/** A comma-separated text, as in a variable, or a list. */
const AllowedHosts = z
  .preprocess(
    (given) => (typeof given === 'string' ? given.split(',').map((host) => host.trim()) : given),
    z.array(AllowedHost),
  )
  .describe('host:port as addresses name it, such as wiki.intranet:443, with commas between them');

/** No characters that end a comment in a header. */
const Contact = z
  .string()
  .trim()
  .max(200)
  .regex(/^(?:https?:\/\/[\w.~:/?#@!$&*+,;=%[\]-]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)$/)
  .describe('an address such as https://example.org/about, or an e-mail address');

const FetchSettings = z.object({
  /** Default none: what lies on this machine or in its network is not fetched. Servers, each as `host:port`, whose pages may be fetched wherever they are. */
  allow: AllowedHosts.default([]),
  /** Default 500. How long two requests to one host are kept apart, in milliseconds; a site that asks for longer in its robots.txt gets that, up to half a minute. */
  paceMs: z.int().min(0).max(60_000).default(500),
  /** Default: nobody is named. Whom those whose pages are fetched may write to, told in every request: `Colligate/0.6.0 (+mailto:library@example.org)`. */
  contact: Contact.nullable().default(null),
});

/** Zotero gives its library to whoever asks, so it is asked on this machine alone. */
const LoopbackUrl = z
  .url({ protocol: /^http$/ })
  .refine((url) => isLoopback(parseUrl(url)?.hostname.replace(/^\[|\]$/g, '') ?? ''))
  .describe('an http URL of this machine, such as http://127.0.0.1:23119');

const Address = z
  .string()
  .regex(/^[^\s:/]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/)
  .describe('host:port, such as localhost:7233');

const CharLimits = SynthesisSettings.pick({
  minCharsPerSource: true,
  maxCharsPerSource: true,
  maxTotalChars: true,
});

/** Runs as soon as these three settings are valid, so that all problems are reported together. */
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

/** The keys are those of `colligate.config.json`. */
export const ConfigSchema = z.object({
  engine: z.enum([...engineNames, 'local']).default('extractive'),
  /** Default `.colligate` in the working directory. Stores, event log, and the files of an own Temporal server. */
  dataDir: Text.default('.colligate'),
  /** Default `lmdb`, files in `dataDir`. What keeps contents, events and responses. */
  stores: StoreChoice.default('lmdb'),
  redis: RedisSettings.prefault({}),
  /** Default `reports`. A finished run's files go into a folder of its id in there; the file may call it `report.outputDir`. */
  outDir: Text.default('reports'),
  /** Default: `colligate` in the user's cache directory. Downloads that are shared by all projects of the user. */
  cacheDir: Text.optional(),
  /** Default: one on PATH. The program of a Chromium, which prints PDFs. */
  chromium: Text.nullable().default(null),
  /** Default `open`: where a source's licence lets everybody pass it on, or it is a file of the user's own. Around which quotes an export and `report.html` show the source's text; else `all`, `none`. */
  texts: TextsShown.default('open'),
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
      /** Default none. Where an OpenAI-compatible endpoint is, with or without `/v1`. */
      baseUrl: HttpUrl.nullable().default(null),
      /** Default none. Sent as a bearer token. From the environment only. */
      apiKey: SecretText.nullable().default(null),
      /** Default none. A file that holds the key and nothing else; `apiKey` wins where both are given. */
      apiKeyFile: Text.nullable().default(null),
      models: z
        .object({
          /** Default none. The endpoint's name of the model for summaries and the outline. */
          fast: Text.nullable().default(null),
          /** Default none. The model for findings, cross-checks and the text. */
          strong: Text.nullable().default(null),
          /** Default: the strong model. Audits and judges what was written, and what is named as agreement; a model other than the writer’s sees more. */
          critic: Text.nullable().default(null),
          /** Default none: passages are found by their words alone. Finds those that mean the same as well; asked at `/embeddings`, each text once. */
          embedding: Text.nullable().default(null),
        })
        .prefault({}),
      /** Default: those of the list that ships; a model on this machine costs nothing. By model; what is set goes before the list. */
      prices: PriceTable.describe(
        'for each model `{ "input": …, "output": … }` in USD per million tokens',
      ).default({}),
      /** Default: the list of prices that ships (`src/app/data/prices.json`). A file in the same form that replaces it. */
      pricesFile: Text.nullable().default(null),
      /** Default 128,000 for each model, less where the list of prices says so. How many tokens a model takes, question and answer together; a smaller window is also learned from its refusals. */
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
      /** Default 1. How many times the tokens of an answer a model gets, so that it can think; a model that thinks until its tokens are gone gets 4 times as many by itself. */
      thinkingRoom: z.number().min(1).max(100).default(1),
      /** Default 8. How many calls a worker has under way at once; the slots of its model queue. */
      maxConcurrentCalls: z.int().min(1).max(200).default(8),
      /** Default 30 days. How long a response is kept for whoever asks the same, in milliseconds. */
      cacheTtlMs: z.int().min(60_000).max(31_536_000_000).default(2_592_000_000),
    })
    .prefault({}),
  local: z
    .object({
      /** Default 127.0.0.1:11434 (Ollama), 127.0.0.1:1234 (LM Studio) and 127.0.0.1:8080 (llama.cpp). Where the engine `local` looks for servers of models. */
      servers: AllowedHosts.default(['127.0.0.1:11434', '127.0.0.1:1234', '127.0.0.1:8080']),
    })
    .prefault({}),
  reader: z
    .object({
      /** Default `on`. Whether sentences are read by their meaning, beside their words, with the encoder that ships. */
      encoder: z.enum(['on', 'off']).default('on'),
    })
    .prefault({}),
  prompts: PromptSettings.prefault({}),
  langfuse: LangfuseSettings.prefault({}),
  telemetry: TelemetrySettings.prefault({}),
  /** Each setting with its default in the contract: they are part of a run's input. */
  synthesis: CheckedSynthesisSettings.prefault({}),
  answers: ConfiguredAnswers.prefault({}),
  report: BriefDefaults.prefault({}),
  brief: BriefWriting.prefault({}),
  judge: ConfiguredJudge.prefault({}),
  /** Default: no limits. A run keeps within them by doing less, never by losing the report. */
  budget: RequestLimits.prefault({}),
  outages: z
    .object({
      /** Default a day. How long a run tries on by itself where the endpoint, the store or a worker is away, in milliseconds; then it is paused until it is resumed. */
      patienceMs: z.int().min(0).max(MAX_PATIENCE_MS).default(DEFAULT_PATIENCE_MS),
      /** Default 6, over about a minute. How often an activity is tried, a call of a model among them, before the run waits for what is away (document 002: 2 retries, which are 3 attempts). */
      attempts: z.int().min(1).max(100).optional(),
    })
    .prefault({}),
  worker: WorkerSettings.prefault({}),
  http: HttpSettings.prefault({}),
  webhooks: WebhookSettings.prefault({}),
  encryption: EncryptionSettings.prefault({}),
  retention: RetentionSettings.prefault({}),
  fetch: FetchSettings.prefault({}),
  search: SearchSettings.prefault({}),
  zotero: z
    .object({
      /** Default `http://127.0.0.1:23119`. Where Zotero answers other programs, on this machine. */
      url: LoopbackUrl.default('http://127.0.0.1:23119'),
    })
    .prefault({}),
});

export type EngineSettings = Pick<z.infer<typeof ConfigSchema>, 'openai' | 'dataDir'>;

/** Settings of external prompts and traces. */
export type ExternalSettings = Pick<z.infer<typeof ConfigSchema>, 'prompts' | 'langfuse' | 'telemetry'>;
