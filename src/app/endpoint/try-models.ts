import type { Config } from '../../config/config';
import { modelChoices } from '../../config/model-choices';
import { jsonFromAnswer } from '../../engines/model/json/json-answer';
import {
  SCHEMA_RUNGS,
  type ModelClient,
  type ModelResponse,
  type SchemaRung,
} from '../../engines/model/port/model-client';
import { ModelFailure } from '../../engines/model/port/model-failure';
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

export type TriedModel = { model: string; roles: string[] } & (
  | {
      answered: true;
      rung: SchemaRung;
      ms: number;
      usage: ModelResponse['usage'];
      isRight: boolean;
    }
  /** `failure` is null where the endpoint refuses every way of asking. */
  | { answered: false; failure: string | null }
);

/** Makes one small call for each model that a role has. A rung that is refused costs another. Null where none is configured. */
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
  for (const [model, roles] of rolesByModel) tried.push(await tryModel(client, model, roles));
  return tried;
}

async function tryModel(client: ModelClient, model: string, roles: string[]): Promise<TriedModel> {
  for (const rung of SCHEMA_RUNGS) {
    const started = performance.now();
    try {
      const { text, finishReason, usage } = await client.ask(
        {
          model,
          messages: [{ role: 'user', content: QUESTION }],
          temperature: 0,
          maxOutputTokens: MAX_OUTPUT_TOKENS,
          schema: SCHEMA,
        },
        rung,
        { signal: new AbortController().signal },
      );
      const ms = performance.now() - started;
      return { model, roles, answered: true, rung, ms, usage, isRight: isSum(text, finishReason) };
    } catch (error) {
      if (error instanceof ModelFailure && error.kind === 'schema-rejected') continue;
      return { model, roles, answered: false, failure: errorMessage(error) };
    }
  }
  return { model, roles, answered: false, failure: null };
}

function isSum(text: string, finishReason: Parameters<typeof jsonFromAnswer>[1]): boolean {
  try {
    const value = jsonFromAnswer(text, finishReason);
    return typeof value === 'object' && value !== null && 'answer' in value && Number(value.answer) === 4;
  } catch {
    return false;
  }
}
