import type { ServerResponse } from 'node:http';
import {
  type ModelServer,
  type RecordedRequest,
  type Script,
  sendJson,
  startModelServer,
} from './model-server';

/** Answers beside the chat of a server, by method and path; false where there is nothing. */
export type Beside = (request: RecordedRequest, response: ServerResponse) => boolean;

interface OllamaModel {
  name: string;
  parameterSize?: string;
  family?: string;
  remoteHost?: string;
  /** `num_ctx` of its Modelfile. */
  numCtx?: number;
  /** `context_length` of its weights. */
  trained?: number;
  /** The window with which it is loaded; absent where it is not. */
  loaded?: number;
  /** The window that it gets when it is loaded. */
  loadsWith?: number;
}

/** Ollama as https://docs.ollama.com/api has it. */
export function ollama(models: readonly OllamaModel[]): Beside {
  const loaded = new Map(
    models.flatMap(({ name, loaded: window }) => (window === undefined ? [] : [[name, window]])),
  );
  const named = (name: unknown): OllamaModel | undefined =>
    models.find((model) => model.name === name || model.name === `${String(name)}:latest`);
  const answers: Record<string, (body: RecordedRequest['body']) => unknown> = {
    'GET /api/version': () => ({ version: '0.12.6' }),
    'GET /api/tags': () => ({
      models: models.map(({ name, parameterSize = '', family = 'llama', remoteHost }) => ({
        name,
        model: name,
        modified_at: '2025-10-03T23:34:03.409490317-07:00',
        size: 3_825_819_519,
        digest: 'fe938a131f40e6f6d40083c9f0f430a515233eb2edaa6d72eb85c50d64f2300e',
        ...(remoteHost === undefined ? {} : { remote_host: remoteHost, remote_model: name }),
        details: {
          format: 'gguf',
          family,
          families: [family],
          parameter_size: parameterSize,
          quantization_level: 'Q4_0',
        },
      })),
    }),
    'GET /api/ps': () => ({
      models: [...loaded].map(([name, context_length]) => ({
        name,
        model: name,
        size: 1,
        size_vram: 0,
        context_length,
      })),
    }),
    'POST /api/show': (body) => {
      const model = named(body?.['model']);
      return model === undefined
        ? null
        : {
            parameters: `stop "<|eot_id|>"${model.numCtx === undefined ? '' : `\nnum_ctx                        ${model.numCtx}`}`,
            template: '{{ .Prompt }}',
            details: { family: 'llama' },
            model_info: { 'general.architecture': 'llama', 'llama.context_length': model.trained ?? 131_072 },
            capabilities: ['completion'],
          };
    },
    'POST /api/generate': (body) => {
      const model = named(body?.['model']);
      if (model?.loadsWith === undefined) return null;
      loaded.set(model.name, model.loadsWith);
      return { model: model.name, response: '', done: true, done_reason: 'load' };
    },
    'GET /v1/models': () => ({
      object: 'list',
      data: models.map(({ name }) => ({ id: name, object: 'model', created: 1, owned_by: 'library' })),
    }),
  };
  return besideOf(answers);
}

/** LM Studio since 0.4.0: https://lmstudio.ai/docs/developer/rest/list. It answers 200 to what it does not know. */
export function lmStudio(
  models: readonly { key: string; type?: string; params?: string; loaded?: number }[],
): Beside {
  return besideOf(
    {
      'GET /api/v1/models': () => ({
        models: models.map(({ key, type = 'llm', params = null, loaded }) => ({
          type,
          publisher: 'lmstudio-community',
          key,
          display_name: key,
          params_string: params,
          loaded_instances: loaded === undefined ? [] : [{ id: key, config: { context_length: loaded } }],
          max_context_length: 32_768,
          format: 'gguf',
        })),
      }),
    },
    { error: 'Unexpected endpoint or method. Returning 200 anyway' },
  );
}

/** LM Studio before 0.4.0: https://lmstudio.ai/docs/developer/rest/endpoints. */
export function olderLmStudio(models: readonly { id: string; type?: string; loaded?: number }[]): Beside {
  return besideOf({
    'GET /api/v0/models': () => ({
      object: 'list',
      data: models.map(({ id, type = 'llm', loaded }) => ({
        id,
        object: 'model',
        type,
        publisher: 'lmstudio-community',
        arch: 'qwen2',
        state: loaded === undefined ? 'not-loaded' : 'loaded',
        max_context_length: 32_768,
        ...(loaded === undefined ? {} : { loaded_context_length: loaded }),
      })),
    }),
  });
}

/** llama-server: https://github.com/ggml-org/llama.cpp/tree/master/tools/server. */
export function llamaCpp(model: { id: string; nCtx: number; slots: number; nParams?: number }): Beside {
  return besideOf({
    'GET /props': () => ({
      default_generation_settings: { id: 0, n_ctx: model.nCtx, params: {} },
      total_slots: model.slots,
      model_path: model.id,
      chat_template: '…',
    }),
    'GET /v1/models': () => ({
      object: 'list',
      data: [
        {
          id: model.id,
          object: 'model',
          created: 1,
          owned_by: 'llamacpp',
          meta: { n_ctx_train: 131_072, n_params: model.nParams ?? 8_030_261_312 },
        },
      ],
    }),
  });
}

/** A model server that also answers as a server of local models. */
export function startLocalServer(beside: Beside, script: Script = []): Promise<ModelServer> {
  return startModelServer(script, { beside });
}

export const addressOf = ({ origin }: ModelServer): string => new URL(origin).host;

function besideOf(
  answers: Record<string, (body: RecordedRequest['body']) => unknown>,
  otherwise?: unknown,
): Beside {
  return ({ method, path, body }, response) => {
    if (path.endsWith('/chat/completions')) return false;
    const answer = answers[`${method} ${path}`]?.(body) ?? otherwise;
    if (answer === undefined) return false;
    if (answer === null) sendJson(response, 404, { error: 'model not found' });
    else sendJson(response, 200, answer);
    return true;
  };
}
