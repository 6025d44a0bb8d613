import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import type { Abilities } from './endpoint/endpoint-abilities';
import type { ModelRequest, SchemaRung } from '../model/port/model-client';

/** The body of a request: only what this model of this endpoint takes. */
export function chatBody(
  request: ModelRequest,
  rung: SchemaRung | null,
  abilities: Abilities,
): ChatCompletionCreateParams {
  return {
    model: request.model,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    [abilities.maxTokens]: request.maxOutputTokens,
    ...(abilities.temperature ? { temperature: request.temperature } : {}),
    ...responseFormat(request, rung, abilities),
    stream: abilities.stream,
    ...(abilities.stream && abilities.streamUsage ? { stream_options: { include_usage: true } } : {}),
  };
}

function responseFormat(
  { schema }: ModelRequest,
  rung: SchemaRung | null,
  abilities: Abilities,
): Pick<ChatCompletionCreateParams, 'response_format'> {
  if (schema === undefined || rung === null || rung === 'prompt-only') return {};
  if (rung === 'json-object') return { response_format: { type: 'json_object' } };
  return {
    response_format: {
      type: 'json_schema',
      json_schema: {
        // The only characters and the only length that every endpoint takes.
        name: schema.name.replace(/[^\w-]/g, '_').slice(0, 64),
        schema: schema.schema,
        strict: abilities.strictSchema,
      },
    },
  };
}
