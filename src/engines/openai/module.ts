import { modelChoices } from '../../config/model-choices';
import type { EngineSettings } from '../../config/schema';
import type { EngineModule } from '../engine-module';
import { createModelEngine } from '../model/engine';
import type { ModelClient } from '../model/port/model-client';
import { createOpenAiClient } from './openai-client';
import { createOpenAiEmbedder } from './openai-embedder';

export const openAiModule: EngineModule = {
  async create({ openai }, { responses: cache, paces, promptSecret }) {
    const { baseUrl, cacheTtlMs } = openai;
    const models = modelChoices(openai);
    if (baseUrl === null || models === null) return null;
    return createModelEngine({
      name: 'openai',
      client: clientAt(baseUrl, openai),
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
): ModelClient {
  return createOpenAiClient({ baseUrl, apiKey, timeoutMs, inactivityMs, firstByteMs });
}
