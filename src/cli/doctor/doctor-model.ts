import type { Config } from '../../config/config';
import { modelChoices } from '../../config/model-choices';
import type { ModelClient, SchemaRung } from '../../engines/model/port/model-client';
import { openModelClient } from '../../app/create-engines';
import { jsonFromAnswer } from '../../engines/model/json/json-answer';
import { ModelFailure } from '../../engines/model/port/model-failure';
import { errorMessage } from '../../platform/error-message';
import { ok, type Finding } from './doctor-finding';

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
const RUNGS: readonly { rung: SchemaRung; says: string }[] = [
  { rung: 'json-schema', says: 'keeps to a JSON schema' },
  { rung: 'json-object', says: 'answers in JSON where asked for it, without a schema' },
  { rung: 'prompt-only', says: 'takes neither a schema nor JSON mode; it is asked for JSON in words' },
];

/** Makes one small call for each model that a role has, and says what the endpoint can do. A rung that is refused costs another. */
export async function examineModels(config: Config): Promise<Finding[]> {
  const models = modelChoices(config.openai, config.synthesis);
  const client = openModelClient(config);
  if (client === null || models === null) {
    return [
      {
        name: 'models',
        state: 'problem',
        detail: 'no endpoint with models is configured',
        advice: 'Set OPENAI_BASE_URL, COLLIGATE_MODEL_FAST and COLLIGATE_MODEL_STRONG; see docs/models.md.',
        unreachable: true,
      },
    ];
  }
  const rolesByModel = new Map<string, string[]>();
  for (const role of ['fast', 'strong', 'critic', 'overview', 'deepDive'] as const) {
    const name = models[role]?.name;
    if (name === undefined) continue;
    rolesByModel.set(name, [...(rolesByModel.get(name) ?? []), role]);
  }
  const findings: Finding[] = [];
  for (const [model, roles] of rolesByModel) {
    findings.push(await examineModel(client, model, `model ${roles.join(', ')}`));
  }
  return findings;
}

async function examineModel(client: ModelClient, model: string, name: string): Promise<Finding> {
  for (const { rung, says } of RUNGS) {
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
      const took = `${((performance.now() - started) / 1_000).toFixed(1)} s`;
      const tokens =
        usage === null ? 'tells no usage' : `${usage.inputTokens} + ${usage.outputTokens} tokens`;
      const facts = `${model}: ${says}; ${took}; ${tokens}`;
      return isSum(text, finishReason)
        ? ok(name, facts)
        : {
            name,
            state: 'note',
            detail: `${facts}; but it did not answer two plus two`,
            advice: 'Reports will have many warnings. A larger model may do better.',
          };
    } catch (error) {
      if (error instanceof ModelFailure && error.kind === 'schema-rejected') continue;
      return {
        name,
        state: 'problem',
        detail: `${model}: ${errorMessage(error)}`,
        advice: 'See docs/models.md for what to set.',
        unreachable: true,
      };
    }
  }
  return { name, state: 'problem', detail: `${model} refuses every way of asking`, advice: null };
}

function isSum(text: string, finishReason: Parameters<typeof jsonFromAnswer>[1]): boolean {
  try {
    const value = jsonFromAnswer(text, finishReason);
    return typeof value === 'object' && value !== null && 'answer' in value && Number(value.answer) === 4;
  } catch {
    return false;
  }
}
