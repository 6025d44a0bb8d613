import { z } from 'zod';
import { type EngineSettings, modelChoices } from '../../contracts/settings';
import { tryParseJson } from '../../lib/json';
import type { Secret } from '../../lib/process';
import { type Embedder, EmbeddingFailedError, type EngineModule } from '../engine';
import { createModelEngine } from '../model/model-engine';
import { type CallScheduler, type ModelClient, ModelFailure } from '../model/port';
import { AnswerListener, type Call, runCall } from './call';
import { connect } from './connection';
import { malformedResponse } from './endpoint-errors';
import { createOpenAiClient, MAX_RESPONSE_BYTES } from './openai-client';

/** Limits vary: OpenAI's is 2,048, that of small servers a few dozen. */
const TEXTS_PER_CALL = 64;

const EmbeddingsAnswer = z.object({
  data: z.array(z.object({ index: z.int().nonnegative().optional(), embedding: z.array(z.number()).min(1) })),
});

export const openAiModule: EngineModule = {
  async create({ openai }, { responses: cache, paces, promptSecret }) {
    const { baseUrl, cacheTtlMs } = openai;
    const models = modelChoices(openai);
    if (baseUrl === null || models === null) return null;
    return createModelEngine({
      name: 'openai',
      client: createConfiguredClient(baseUrl, openai),
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
    openai.baseUrl === null ? null : createConfiguredClient(openai.baseUrl, { ...openai, ...limits }),
};

function createConfiguredClient(
  baseUrl: string,
  { apiKey, timeoutMs, inactivityMs, firstByteMs, thinkingRoom }: EngineSettings['openai'],
): ModelClient {
  return createOpenAiClient({ baseUrl, apiKey, timeoutMs, inactivityMs, firstByteMs, thinkingRoom });
}

interface OpenAiEmbedderSettings {
  baseUrl: string;
  apiKey: Secret | null;
  model: string;
  timeoutMs: number;
  pace: CallScheduler;
}

function createOpenAiEmbedder(settings: OpenAiEmbedderSettings): Embedder {
  const { baseUrl, model, timeoutMs, pace } = settings;
  const apiKey = settings.apiKey?.reveal() ?? null;
  const connection = connect(baseUrl, apiKey, MAX_RESPONSE_BYTES);

  const ask = async (texts: readonly string[], signal: AbortSignal): Promise<number[][]> => {
    const limits = { timeoutMs, inactivityMs: timeoutMs, firstByteMs: timeoutMs };
    const call: Call = { connection, apiKey, ...limits, model, contents: texts, rung: null };
    try {
      const embed = (): Promise<number[][]> =>
        runCall(call, signal, new AnswerListener(), async (deadline) =>
          readVectors(await connection.embed({ model, input: [...texts] }, deadline.signal), texts.length),
        );
      return await pace.run(embed, signal, model);
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error;
      const isNothingThere = error.kind === 'bad-request' && error.status === 404;
      const message = isNothingThere
        ? `There are no embeddings at ${connection.address} (404).`
        : error.message;
      throw new EmbeddingFailedError(message, { cause: error });
    }
  };

  return {
    name: `${baseUrl} ${model}`,
    async embed(texts, signal) {
      const vectors: number[][] = [];
      for (let from = 0; from < texts.length; from += TEXTS_PER_CALL)
        vectors.push(...(await ask(texts.slice(from, from + TEXTS_PER_CALL), signal)));
      return vectors;
    },
  };
}

/** Throws `ModelFailure` unless there is one vector per text, all of one length. */
async function readVectors(response: Response, texts: number): Promise<number[][]> {
  const answer = EmbeddingsAnswer.safeParse(tryParseJson(await response.text()));
  if (!answer.success) throw malformedResponse('what it sent is no list of embeddings');
  const vectors: number[][] = [];
  answer.data.data.forEach(({ index, embedding }, at) => (vectors[index ?? at] = embedding));
  const lengths = new Set(Array.from({ length: texts }, (_, at) => vectors[at]?.length));
  if (vectors.length !== texts || lengths.size > 1 || lengths.has(undefined))
    throw malformedResponse('it sent other embeddings than one of a length for each text');
  return vectors;
}
