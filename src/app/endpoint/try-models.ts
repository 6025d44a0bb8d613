import type { Config } from '../../config/config';
import { modelChoices } from '../../config/model-choices';
import { jsonFromAnswer } from '../../engines/model/json/json-answer';
import {
  type ModelClient,
  type ModelMessage,
  type ModelRequest,
  type ModelResponse,
  SCHEMA_RUNGS,
  type SchemaRung,
} from '../../engines/model/port/model-client';
import { ModelFailure } from '../../engines/model/port/model-failure';
import { withoutThinking } from '../../engines/model/port/thinking';
import { openModelClient } from '../create-engines';
import { errorMessage } from '../../platform/error-message';

/** A question that any model can answer, small enough to cost next to nothing. */
const QUESTION = 'What is two plus two? Answer as JSON: {"answer": <number>}.';
const MAX_OUTPUT_TOKENS = 400;
const SCHEMA = {
  name: 'sum',
  schema: {
    type: 'object',
    properties: { answer: { type: 'number' } },
    required: ['answer'],
    additionalProperties: false,
  },
};

const WORD = 'MARIGOLD';
const SYSTEM: ModelMessage[] = [
  { role: 'system', content: `End every answer with the word ${WORD}, in capitals, on a line of its own.` },
  { role: 'user', content: 'In one short sentence: what is bread made of?' },
];

/** Sections of reports are about as long. */
const LAST_NUMBER = 400;
const LONG: ModelMessage[] = [
  {
    role: 'user',
    content: `Write the whole numbers from 1 to ${LAST_NUMBER} with commas between them, all of them, and nothing else.`,
  },
];
const LONG_OUTPUT_TOKENS = 2_400;

/** How the endpoint takes what a run needs; a failure is a sentence. */
interface Abilities {
  /** Whether the model follows a system message. */
  system: boolean | { failure: string };
  /** The last number that it wrote of a long list, which is `LAST_NUMBER` where it wrote all, and whether the endpoint cut it off. */
  long: { reached: number; isCutOff: boolean } | { failure: string };
  /** Whether its answer came in parts. */
  streams: boolean;
}

export const LONGEST_LIST = LAST_NUMBER;

export type TriedModel = { model: string; roles: string[]; contextTokens: number | null } & (
  | {
      answered: true;
      rung: SchemaRung;
      ms: number;
      usage: ModelResponse['usage'];
      isRight: boolean;
      abilities: Abilities;
    }
  /** `failure` is null where the endpoint refuses every way of asking. */
  | { answered: false; failure: string | null }
);

/**
 * Tries what a run needs with each model that a role has: a schema, a system message, a long answer, a stream. A rung that is
 * refused costs another call. Null where no model is configured.
 */
export async function tryModels(config: Config): Promise<TriedModel[] | null> {
  const models = modelChoices(config.openai, config.synthesis);
  const client = openModelClient(config);
  if (client === null || models === null) return null;
  const rolesByModel = new Map<string, string[]>();
  const named = Object.entries(models).map(([role, { name }]) => ({ role, name }));
  for (const { role, name } of [...named, { role: 'answers', name: config.answers.model }]) {
    if (name === null) continue;
    rolesByModel.set(name, [...(rolesByModel.get(name) ?? []), role]);
  }
  const tried: TriedModel[] = [];
  for (const [model, roles] of rolesByModel) {
    const contextTokens = config.openai.contextTokens[model] ?? null;
    tried.push({ ...(await tryModel(client, model)), model, roles, contextTokens });
  }
  return tried;
}

type Tried =
  | Omit<Extract<TriedModel, { answered: true }>, 'model' | 'roles' | 'contextTokens'>
  | { answered: false; failure: string | null };

async function tryModel(client: ModelClient, model: string): Promise<Tried> {
  for (const rung of SCHEMA_RUNGS) {
    const started = performance.now();
    try {
      const messages: ModelMessage[] = [{ role: 'user', content: QUESTION }];
      const request = requestOf(model, messages, MAX_OUTPUT_TOKENS);
      const { text, finishReason, usage } = await ask(client, { ...request, schema: SCHEMA }, rung);
      const ms = performance.now() - started;
      const isRight = isSum(text, finishReason);
      return { answered: true, rung, ms, usage, isRight, abilities: await abilitiesOf(client, model) };
    } catch (error) {
      if (error instanceof ModelFailure && error.kind === 'schema-rejected') continue;
      return { answered: false, failure: errorMessage(error) };
    }
  }
  return { answered: false, failure: null };
}

async function abilitiesOf(client: ModelClient, model: string): Promise<Abilities> {
  let parts = 0;
  const system = await failureOr(async () => {
    const { text } = await ask(client, requestOf(model, SYSTEM, MAX_OUTPUT_TOKENS), null);
    return withoutThinking(text).includes(WORD);
  });
  const long = await failureOr(async () => {
    const request = requestOf(model, LONG, LONG_OUTPUT_TOKENS);
    const { text, finishReason } = await ask(client, request, null, () => (parts += 1));
    const numbers = withoutThinking(text).match(/\d+/g) ?? [];
    return { reached: Number(numbers.at(-1) ?? 0), isCutOff: finishReason === 'length' };
  });
  return { system, long, streams: parts > 1 };
}

async function failureOr<Result>(run: () => Promise<Result>): Promise<Result | { failure: string }> {
  try {
    return await run();
  } catch (error) {
    return { failure: errorMessage(error) };
  }
}

function requestOf(model: string, messages: ModelMessage[], maxOutputTokens: number): ModelRequest {
  return { model, messages, temperature: 0, maxOutputTokens };
}

function ask(
  client: ModelClient,
  request: ModelRequest,
  rung: SchemaRung | null,
  onText?: (text: string) => void,
): Promise<ModelResponse> {
  const { signal } = new AbortController();
  return client.ask(request, rung, { signal, ...(onText === undefined ? {} : { onText }) });
}

function isSum(text: string, finishReason: Parameters<typeof jsonFromAnswer>[1]): boolean {
  try {
    const value = jsonFromAnswer(text, finishReason);
    return typeof value === 'object' && value !== null && 'answer' in value && Number(value.answer) === 4;
  } catch {
    return false;
  }
}
