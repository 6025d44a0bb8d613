import type { AnswerListener } from './answer/answer-listener';
import type { Endpoint } from './endpoint/endpoint';
import { withoutRefused, type Abilities } from './endpoint/endpoint-abilities';
import type { Deadline } from './endpoint/endpoint-deadline';
import type { ModelRequest, ModelResponse, SchemaRung } from '../model/port/model-client';
import { complaintOfError } from './as-model-failure';
import { isEventStream, readAnswer } from './answer/read-answer';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';

export interface Question {
  request: ModelRequest;
  rung: SchemaRung | null;
  abilities: Abilities;
  learn: (abilities: Abilities) => void;
  listener: AnswerListener;
  inactivityMs: number;
  firstByteMs: number;
}

/** Asks once, and again without a parameter as long as the endpoint refuses another one. */
export async function askModel(
  endpoint: Endpoint,
  question: Question,
  deadline: Deadline,
): Promise<ModelResponse> {
  const { request, rung, listener } = question;
  const hasSchema = rung === 'json-schema' && request.schema !== undefined;
  const tried = new Set<string>();
  let { abilities } = question;
  for (;;) {
    tried.add(JSON.stringify(abilities));
    try {
      const { answer, streamed } = await askOnce(endpoint, question, abilities, deadline);
      // What answers at once is silent until then, and is asked for no stream again.
      question.learn({ ...abilities, stream: streamed });
      return { ...answer, rung: request.schema === undefined ? null : rung };
    } catch (error) {
      const complaint = listener.heard === '' ? complaintOfError(error) : null;
      const sent = { streams: abilities.stream, hasSchema };
      const changed = complaint && withoutRefused(abilities, complaint, sent);
      if (!changed || tried.has(JSON.stringify(changed.abilities))) throw error;
      if (changed.certain) question.learn(changed.abilities);
      abilities = changed.abilities;
    }
  }
}

async function askOnce(
  endpoint: Endpoint,
  { request, rung, listener, inactivityMs, firstByteMs }: Question,
  abilities: Abilities,
  deadline: Deadline,
): Promise<{ answer: Omit<ModelResponse, 'rung'>; streamed: boolean }> {
  const body = chatBody(request, rung, abilities);
  // An answer that comes at once comes when all of it is there.
  if (abilities.stream) deadline.listen(firstByteMs, 'beginning');
  const response = await endpoint.complete(body, deadline.signal);
  const answer = await readAnswer(response, {
    deadline,
    inactivityMs,
    firstByteMs,
    onText: (text) => listener.push(text),
  });
  listener.end();
  return { answer, streamed: isEventStream(response) };
}

function chatBody(
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
