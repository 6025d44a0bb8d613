import { traitsOf } from '../contracts/run/engines';
import { priceOf } from '../core/budget/prices';
import type { Config } from './config';
import { environmentNames, type SettingPath } from './setting-names';

/** What has to be so for a setting to have an effect, and what is told where it is not. */
interface Condition {
  holds: (config: Config, isGiven: (path: SettingPath) => boolean) => boolean;
  why: (config: Config) => string;
  advice: string;
}

const isAsking = ({ engine }: Config): boolean => traitsOf(engine).asksModels;

const asksModels: Condition = {
  holds: isAsking,
  why: ({ engine }) => `the engine is ${engine}, which asks no model`,
  advice: `Set ${environmentNames['openai.baseUrl']}, ${environmentNames['openai.models.fast']} and ${environmentNames['openai.models.strong']}, or name the engine with ${environmentNames.engine}`,
};

/** Vectors are made whichever engine a run has. */
const asksEndpoint: Condition = {
  ...asksModels,
  holds: (config) =>
    isAsking(config) || (config.openai.baseUrl !== null && config.openai.models.embedding !== null),
};

const hasEndpoint: Condition = {
  holds: ({ openai }) => openai.baseUrl !== null,
  why: () => 'there is no endpoint',
  advice: `Set ${environmentNames['openai.baseUrl']}`,
};

const hasPrices: Condition = {
  holds: ({ openai: { prices, models } }) =>
    Object.values(models).some((model) => model !== null && priceOf(prices, model) !== null),
  why: () => 'no model has a price, so that calls count as costing nothing',
  advice: 'Set openai.prices in colligate.config.json',
};

const keptInRedis: Condition = {
  holds: ({ stores }) => stores === 'redis',
  why: () => 'the stores are not kept in redis',
  advice: `Set ${environmentNames.stores}=redis`,
};

const usesLangfusePrompts: Condition = {
  holds: ({ prompts }) => prompts.provider === 'langfuse',
  why: () => 'the prompts are those of the program',
  advice: `Set ${environmentNames['prompts.provider']}=langfuse`,
};

const usesLangfuse: Condition = {
  holds: ({ prompts, telemetry }) => prompts.provider === 'langfuse' || telemetry.langfuse,
  why: () => 'neither prompts nor traces are Langfuse’s',
  advice: `Set ${environmentNames['prompts.provider']}=langfuse or ${environmentNames['telemetry.langfuse']}=true`,
};

const hasCollector: Condition = {
  holds: ({ telemetry }) => telemetry.endpoint !== null,
  why: () => 'there is no collector',
  advice: `Set ${environmentNames['telemetry.endpoint']}`,
};

const hasTraces: Condition = {
  holds: ({ telemetry }) => telemetry.endpoint !== null || telemetry.langfuse,
  why: () => 'traces go nowhere',
  advice: `Set ${environmentNames['telemetry.endpoint']} or ${environmentNames['telemetry.langfuse']}=true`,
};

const crossReferences: Condition = {
  holds: ({ synthesis }) => synthesis.enableMultiPass && synthesis.enableCrossReference,
  why: () => 'findings are not held against further sources',
  advice: `Leave out ${environmentNames['synthesis.enableMultiPass']} and ${environmentNames['synthesis.enableCrossReference']}`,
};

const downloadsServer: Condition = {
  holds: ({ temporal }) => temporal.address === null,
  why: () => `${environmentNames['temporal.address']} names a server, so that none is downloaded`,
  advice: `Leave out ${environmentNames['temporal.address']}`,
};

const hasHealthPort: Condition = {
  holds: ({ worker }) => worker.httpPort !== null,
  why: () => 'workers have no port for their health',
  advice: `Set ${environmentNames['worker.httpPort']}`,
};

const hasDeployment: Condition = {
  holds: ({ worker }) => worker.deployment !== null,
  why: () => 'workers have no deployment',
  advice: `Set ${environmentNames['worker.deployment']}`,
};

/** Of two settings that say the same one wins. */
function winsOver(other: SettingPath): Condition {
  return {
    holds: (_config, isGiven) => !isGiven(other),
    why: () => `${environmentNames[other]} wins`,
    advice: `Leave out ${environmentNames[other]}`,
  };
}

/** What each setting needs to have an effect; a new one does not compile before that is said. */
export const SETTING_NEEDS: Readonly<Record<SettingPath, readonly Condition[]>> = {
  engine: [],
  dataDir: [],
  stores: [],
  'redis.url': [keptInRedis],
  'redis.keyPrefix': [keptInRedis],
  'redis.ttlMs': [keptInRedis],
  outDir: [],
  cacheDir: [downloadsServer],
  chromium: [],
  texts: [],
  logLevel: [],
  'temporal.address': [],
  'temporal.namespace': [],
  'temporal.taskQueue': [],
  'temporal.tls': [],
  'temporal.apiKey': [],
  'openai.baseUrl': [asksEndpoint],
  'openai.apiKey': [asksEndpoint],
  'openai.apiKeyFile': [asksEndpoint, winsOver('openai.apiKey')],
  'openai.models.fast': [asksModels],
  'openai.models.strong': [asksModels],
  'openai.models.critic': [asksModels],
  'openai.models.embedding': [hasEndpoint],
  'openai.timeoutMs': [asksEndpoint],
  'openai.firstByteMs': [asksEndpoint],
  'openai.inactivityMs': [asksEndpoint],
  'openai.maxConcurrentCalls': [asksEndpoint],
  'openai.maxSharedCalls': [asksEndpoint],
  'openai.requestsPerSecond': [asksEndpoint],
  'openai.cacheTtlMs': [asksModels],
  'openai.prices': [asksModels],
  'openai.contextTokens': [asksModels],
  'reader.encoder': [],
  'synthesis.enableMultiPass': [],
  'synthesis.pass1SummaryCount': [],
  'synthesis.pass2FullContentCount': [],
  'synthesis.pass3CrossRefCount': [crossReferences],
  'synthesis.maxTotalChars': [],
  'synthesis.maxCharsPerSource': [],
  'synthesis.minCharsPerSource': [],
  'synthesis.minCitationsPerSection': [],
  'synthesis.minTotalCitations': [],
  'synthesis.targetReportLength': [],
  'synthesis.enableCrossReference': [],
  'synthesis.enableFactChecking': [],
  'synthesis.enableConflictDetection': [],
  'synthesis.confidenceThreshold': [],
  'synthesis.overviewModel': [asksModels],
  'synthesis.deepdiveModel': [asksModels],
  'synthesis.citationStyle': [],
  'synthesis.unsupportedClaims': [],
  'synthesis.sourceQualityRules': [],
  'synthesis.temperature': [asksModels],
  'answers.model': [asksModels],
  'answers.patienceMs': [],
  'answers.maxHistory': [],
  'answers.maxAttempts': [],
  'answers.passages': [],
  'answers.broaderPassages': [],
  'answers.compressAboveChars': [],
  'answers.keptWhole': [],
  'answers.compressedChars': [],
  'answers.overCompressionBelow': [],
  'answers.maxTokens': [],
  'answers.synthesisExtraTokens': [],
  'answers.temperature': [asksModels],
  'answers.disclaimerBelow': [],
  'answers.citations': [],
  'report.maxLength': [],
  'report.template': [],
  'brief.oneCallWords': [],
  'brief.temperature': [asksModels],
  'brief.unsupportedClaims': [],
  // Flags of commands have texts judged where the settings do not.
  'judge.enabled': [],
  'judge.threshold': [],
  'judge.maxRevisions': [],
  'judge.rubric': [],
  'prompts.provider': [asksModels],
  'prompts.label': [usesLangfusePrompts],
  'prompts.cacheTtlMs': [usesLangfusePrompts],
  'prompts.timeoutMs': [usesLangfusePrompts],
  'prompts.versions': [usesLangfusePrompts],
  'prompts.names': [usesLangfusePrompts],
  'langfuse.baseUrl': [usesLangfuse],
  'langfuse.publicKey': [usesLangfuse],
  'langfuse.secretKey': [usesLangfuse],
  'telemetry.endpoint': [],
  'telemetry.headers': [hasCollector],
  'telemetry.langfuse': [],
  'telemetry.content': [hasTraces],
  'budget.maxTokens': [asksModels],
  'budget.maxCostUsd': [asksModels, hasPrices],
  'budget.maxTimeMs': [],
  'outages.patienceMs': [],
  'outages.attempts': [],
  'worker.maxConcurrentActivities': [],
  'worker.threads': [],
  'worker.shutdownGraceMs': [],
  'worker.roles': [],
  'http.host': [],
  'http.port': [],
  'http.origins': [],
  'http.maxUploadBytes': [],
  'http.maxRunsPerOwner': [],
  'webhooks.secret': [],
  'worker.httpPort': [],
  'worker.httpHost': [hasHealthPort],
  'worker.deployment': [],
  'worker.buildId': [hasDeployment],
  'encryption.keys': [],
  'encryption.keyFile': [winsOver('encryption.keys')],
  'retention.keepMs': [],
  'fetch.allow': [],
  'fetch.paceMs': [],
  'search.rounds': [],
  'search.maxQueries': [],
  'search.maxResults': [],
  'search.maxPages': [],
  'search.maxBytes': [],
  'search.maxTimeMs': [],
  'search.searxng.url': [],
  'search.tavily.url': [],
  'search.tavily.apiKey': [],
  'search.tavily.apiKeyFile': [winsOver('search.tavily.apiKey')],
  'search.brave.url': [],
  'search.brave.apiKey': [],
  'search.brave.apiKeyFile': [winsOver('search.brave.apiKey')],
  'search.openalex.url': [],
  'search.openalex.apiKey': [],
  'search.openalex.apiKeyFile': [winsOver('search.openalex.apiKey')],
  'search.arxiv.url': [],
  'search.pubmed.url': [],
  'search.pubmed.apiKey': [],
  'search.pubmed.apiKeyFile': [winsOver('search.pubmed.apiKey')],
  'fetch.contact': [],
};
