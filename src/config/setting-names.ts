import type { EngineName } from '../contracts/run/run';

/** Where each setting is found in the environment. */
export const environmentNames = {
  engine: 'COLLIGATE_ENGINE',
  dataDir: 'COLLIGATE_DATA_DIR',
  stores: 'COLLIGATE_STORES',
  'portStores.content': 'COLLIGATE_CONTENT_STORE',
  'portStores.derived': 'COLLIGATE_DERIVED_STORE',
  'portStores.events': 'COLLIGATE_EVENT_STORE',
  'portStores.responses': 'COLLIGATE_RESPONSE_STORE',
  'redis.url': 'REDIS_URL',
  'redis.keyPrefix': 'COLLIGATE_REDIS_KEY_PREFIX',
  'redis.ttlMs': 'COLLIGATE_REDIS_TTL_MS',
  'postgres.url': 'COLLIGATE_POSTGRES_URL',
  'postgres.schema': 'COLLIGATE_POSTGRES_SCHEMA',
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
  'openai.maxSharedCalls': 'COLLIGATE_MAX_SHARED_CALLS',
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
  'reader.encoder': 'COLLIGATE_READER_ENCODER',
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
  'worker.roles': 'COLLIGATE_WORKER_ROLES',
  'worker.httpPort': 'COLLIGATE_WORKER_HTTP_PORT',
  'worker.httpHost': 'COLLIGATE_WORKER_HTTP_HOST',
  'worker.deployment': 'COLLIGATE_DEPLOYMENT',
  'worker.buildId': 'COLLIGATE_BUILD_ID',
  'encryption.keys': 'COLLIGATE_ENCRYPTION_KEYS',
  'encryption.keyFile': 'COLLIGATE_ENCRYPTION_KEY_FILE',
  'retention.keepMs': 'COLLIGATE_RETENTION_MS',
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

/** A setting that a variable or a flag can give. */
export type NamedSettingPath = keyof typeof environmentNames;

export type SettingPath = NamedSettingPath | (typeof fileOnlyPaths)[number];

export const namedSettingPaths = Object.keys(environmentNames) as NamedSettingPath[]; // it forgets the keys of a constant

export const settingPaths: readonly SettingPath[] = [...namedSettingPaths, ...fileOnlyPaths];

export const secretPaths: readonly NamedSettingPath[] = [
  'redis.url',
  'postgres.url',
  'encryption.keys',
  'temporal.apiKey',
  'openai.apiKey',
  'langfuse.publicKey',
  'langfuse.secretKey',
  'telemetry.headers',
];
