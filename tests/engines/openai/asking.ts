import { type ModelClient, ModelFailure, type ModelRequest } from '../../../src/engines/model/port';
import { createOpenAiClient } from '../../../src/engines/openai/openai-client';
import { Secret } from '../../../src/lib/process';
import {
  type ModelServer,
  type ModelServerOptions,
  type Script,
  startModelServer,
} from '../../model-server/model-server';

export const KEY = 'sk-test-4f9Qz71LmXw2';

export const REQUEST: ModelRequest = {
  model: 'small-1',
  messages: [
    { role: 'system', content: 'You read notes.' },
    { role: 'user', content: 'Say what the notes on tide pools hold.' },
  ],
  temperature: 0,
  maxOutputTokens: 500,
};

export const SCHEMA_REQUEST: ModelRequest = {
  ...REQUEST,
  schema: {
    name: 'outline',
    schema: {
      type: 'object',
      properties: { title: { type: 'string' } },
      required: ['title'],
      additionalProperties: false,
    },
  },
};

export const NEVER = new AbortController().signal;

export function clientOf(
  server: { baseUrl: string },
  settings: Partial<Parameters<typeof createOpenAiClient>[0]> = {},
): ModelClient {
  return createOpenAiClient({
    baseUrl: server.baseUrl,
    apiKey: new Secret(KEY),
    timeoutMs: 600_000,
    inactivityMs: 600_000,
    ...settings,
  });
}

/** Runs against a server of its own, and fails where the server's script did not fit. */
export async function withServer<Result>(
  script: Script,
  use: (server: ModelServer) => Promise<Result>,
  options?: ModelServerOptions,
): Promise<Result> {
  const server = await startModelServer(script, options);
  let result: Result;
  try {
    result = await use(server);
  } catch (error) {
    await server.close().catch(() => undefined);
    throw error;
  }
  await server.close();
  return result;
}

/** What a call failed with; anything but a ModelFailure fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<ModelFailure> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ModelFailure) return error;
    throw error;
  }
  throw new Error('The call did not fail');
}
