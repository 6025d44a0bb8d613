import type { Config } from '../config/config';
import { modelChoices } from '../config/model-choices';
import type { EngineName } from '../contracts/run/run';
import type { Engine } from '../engines/engine';
import { createExtractiveEngine } from '../engines/extractive/engine';
import { createOpenAiEngine } from '../engines/model/engine';
import { createModelClient } from '../engines/openai/model-client';
import { createModelMemory } from '../engines/model/model-memory';
import { createPace } from '../engines/model/paid/pace';
import { paidEndpoint } from '../engines/model/paid/paid-call-key';
import type { Stores } from '../stores/stores';
import type { ThreadPool } from '../threads/pool';

export type Engines = Partial<Record<EngineName, Engine>>;

/** The engines that the configuration allows: always the extractive one, and one for the endpoint where there is one. */
export async function createEngines(
  config: Pick<Config, 'openai'>,
  { threads, stores }: { threads: ThreadPool; stores: Pick<Stores, 'responses' | 'secrets'> },
): Promise<Engines> {
  const extractive = createExtractiveEngine({ threads });
  const { openai } = config;
  const models = modelChoices(openai);
  if (openai.baseUrl === null || models === null) return { extractive };
  const { baseUrl, apiKey, timeoutMs, inactivityMs, firstByteMs } = openai;
  const { maxConcurrentCalls, requestsPerSecond, cacheTtlMs } = openai;
  const cache = stores.responses;
  const memory = createModelMemory({ cache, endpoint: paidEndpoint(baseUrl), ttlMs: cacheTtlMs });
  const { abilities } = memory;
  return {
    extractive,
    openai: createOpenAiEngine({
      client: createModelClient({ baseUrl, apiKey, timeoutMs, inactivityMs, firstByteMs, abilities }),
      memory,
      baseUrl,
      models: { fast: models.fast.name, strong: models.strong.name, critic: models.critic.name },
      cache,
      cacheTtlMs,
      pace: createPace({ maxConcurrentCalls, requestsPerSecond }),
      prices: openai.prices,
      contextTokens: openai.contextTokens,
      promptSecret: await stores.secrets.promptSecret(),
    }),
  };
}
