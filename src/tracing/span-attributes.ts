import type { ModelCall } from '../engines/engine';
import type { SpanAttributes, StepSpan, TracedRun } from './traces';

const MAX_CONTENT_CHARS = 20_000;

/** What every span says of its run, in the names of OpenTelemetry, of Langfuse, and our own. */
export function runAttributes({ runId }: TracedRun): SpanAttributes {
  return {
    'colligate.run.id': runId,
    'session.id': runId,
    'gen_ai.conversation.id': runId,
  };
}

export function stepAttributes(span: StepSpan, content: boolean): SpanAttributes {
  const { step, engine, place, turn, prompt, usage, failure } = span;
  return {
    'langfuse.observation.type': 'span',
    'colligate.step': step.name,
    'colligate.step.version': step.version,
    'colligate.engine': engine,
    'colligate.pass': place.pass,
    ...(place.section === undefined ? {} : { 'colligate.section': place.section }),
    ...(place.revision === undefined ? {} : { 'colligate.revision': place.revision }),
    'colligate.turn': turn,
    ...(prompt === null
      ? {}
      : {
          'colligate.prompt.name': prompt.name,
          'colligate.prompt.version': prompt.version,
          'colligate.prompt.from': prompt.from,
        }),
    ...(usage === null
      ? {}
      : {
          'colligate.usage.calls': usage.calls,
          'colligate.usage.cached_calls': usage.cachedCalls,
          'colligate.usage.input_tokens': usage.inputTokens,
          'colligate.usage.output_tokens': usage.outputTokens,
          'colligate.usage.cost_usd': usage.costUsd,
        }),
    ...(failure === null ? {} : { 'error.type': failure }),
    ...(content
      ? {
          'langfuse.observation.input': asText(span.input),
          'langfuse.observation.output': asText(span.output),
        }
      : {}),
  };
}

/** A call of a model, by the semantic conventions for generative AI; Langfuse takes it for a generation. */
export function callAttributes(
  call: ModelCall,
  { prompt, engine }: StepSpan,
  content: boolean,
): SpanAttributes {
  const { model, usage, answer, failure } = call;
  const isOutside = prompt?.from === 'langfuse';
  return {
    'langfuse.observation.type': 'generation',
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': engine,
    'gen_ai.request.model': model,
    'gen_ai.request.temperature': call.temperature,
    'gen_ai.request.max_tokens': call.maxOutputTokens,
    'gen_ai.usage.input_tokens': usage.inputTokens,
    'gen_ai.usage.output_tokens': usage.outputTokens,
    'langfuse.observation.cost_details': JSON.stringify({ total: usage.costUsd }),
    'colligate.cached': usage.cachedCalls > 0,
    ...(answer === null ? {} : { 'gen_ai.response.finish_reasons': [answer.finishReason] }),
    ...(isOutside
      ? {
          'langfuse.observation.prompt.name': prompt.name,
          'langfuse.observation.prompt.version': Number(prompt.version),
        }
      : {}),
    ...(failure === null ? {} : { 'error.type': failure }),
    ...(content ? contentOf(call) : {}),
  };
}

function contentOf({ messages, answer }: ModelCall): SpanAttributes {
  const message = (role: string, text: string): unknown => ({
    role,
    parts: [{ type: 'text', content: cut(text) }],
  });
  const asked = messages.map(({ role, content }) => message(role, content));
  return {
    'gen_ai.input.messages': JSON.stringify(asked),
    ...(answer === null
      ? {}
      : { 'gen_ai.output.messages': JSON.stringify([message('assistant', answer.text)]) }),
  };
}

function asText(value: unknown): string {
  return cut(value === undefined ? '' : JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > MAX_CONTENT_CHARS ? `${text.slice(0, MAX_CONTENT_CHARS)}…` : text;
}
