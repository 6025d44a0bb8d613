import { modelChoices } from '../../config/model-choices';
import type { EngineSettings } from '../../config/schema';
import type { EngineModule } from '../engine-module';
import { createModelEngine } from '../model/engine';
import { createModelMemory } from '../model/model-memory';
import { paidEndpoint } from '../model/paid/paid-call-key';
import type { ModelClient, WireMemory } from '../model/port/model-client';
import { createOpenAiClient } from './openai-client';
import { createOpenAiEmbedder } from './openai-embedder';

/** Language models behind an OpenAI-compatible endpoint, where one is configured with its models. */
export const openAiModule: EngineModule = {
  async create({ openai }, { responses: cache, paces, promptSecret }) {
    const { baseUrl, cacheTtlMs } = openai;
    const models = modelChoices(openai);
    if (baseUrl === null || models === null) return null;
    const memory = createModelMemory({ cache, endpoint: paidEndpoint(baseUrl), ttlMs: cacheTtlMs });
    return createModelEngine({
      name: 'openai',
      client: clientAt(baseUrl, openai, memory.wire),
      memory,
      baseUrl,
      models: { fast: models.fast.name, strong: models.strong.name, critic: models.critic.name },
      cache,
      cacheTtlMs,
      pace: paces.at(baseUrl, openai),
      prices: openai.prices,
      contextTokens: openai.contextTokens,
      promptSecret: await promptSecret(),
    });
  },
  createEmbedder({ openai }, { paces }) {
    const { baseUrl, apiKey, timeoutMs, models } = openai;
    if (baseUrl === null || models.embedding === null) return null;
    return createOpenAiEmbedder({
      baseUrl,
      apiKey,
      timeoutMs,
      model: models.embedding,
      pace: paces.at(baseUrl, openai),
    });
  },
  openClient: ({ openai }, limits) =>
    openai.baseUrl === null ? null : clientAt(openai.baseUrl, { ...openai, ...limits }),
};

function clientAt(
  baseUrl: string,
  { apiKey, timeoutMs, inactivityMs, firstByteMs }: EngineSettings['openai'],
  memory?: WireMemory,
): ModelClient {
  const limits = { timeoutMs, inactivityMs, firstByteMs };
  return createOpenAiClient({ baseUrl, apiKey, ...limits, ...(memory === undefined ? {} : { memory }) });
}
