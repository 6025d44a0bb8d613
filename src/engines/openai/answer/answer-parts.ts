import { isRecord } from '../../../core/values/is-record';
import { complaintIn, errorBeside } from '../endpoint/endpoint-complaint';
import { EndpointComplaintError } from '../endpoint/endpoint-complaint-error';
import { ModelFailure } from '../../model/port/model-failure';
import type { FinishReason, ModelResponse } from '../../model/port/model-client';

export type Answer = Pick<ModelResponse, 'text' | 'finishReason' | 'usage' | 'interrupted'>;

const FINISHED: Record<string, FinishReason> = {
  stop: 'stop',
  stop_sequence: 'stop',
  end_turn: 'stop',
  eos: 'stop',
  tool_calls: 'stop',
  function_call: 'stop',
  eos_token: 'stop',
  completed: 'stop',
  length: 'length',
  max_tokens: 'length',
  max_length: 'length',
  model_length: 'length',
  content_filter: 'content-filter',
  safety: 'content-filter',
  recitation: 'content-filter',
  prohibited_content: 'content-filter',
  blocklist: 'content-filter',
  sensitive: 'content-filter',
};

/** Ends that are the endpoint's failures, with text before them that is not an answer. */
const FAILED_ENDS = ['error', 'abort', 'network_error', 'insufficient_system_resource'];

/** More tokens than this in one call are a mistake of the endpoint's, and would spend a run's budget. */
const MAX_TOKENS = 1e9;

/** Throws where a body that came with status 200 is an error. */
export function refuseError(body: Record<string, unknown>): void {
  const error = errorBeside(body) ?? choiceError(body);
  if (error !== null) throw new EndpointComplaintError(complaintIn(null, error));
}

export function choiceIn(body: Record<string, unknown>): Record<string, unknown> | null {
  const { choices } = body;
  if (!Array.isArray(choices)) return null;
  const records = choices.filter(isRecord);
  return records.find((choice) => choice['index'] === 0 || choice['index'] === undefined) ?? null;
}

/** A content's text: a string, parts of which some are text, or nothing. */
export function textIn(content: unknown): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) throw malformed('the content of its answer is no text');
  return content.map((part: unknown) => partText(part)).join('');
}

/** What a message has of thinking; some servers put the whole answer there. */
export function reasoningIn(message: Record<string, unknown>): string {
  const reasoning = message['reasoning_content'] ?? message['reasoning'];
  return typeof reasoning === 'string' ? reasoning : '';
}

/** The arguments of a message's first tool call, or a piece of them: some servers answer a schema so. */
export function argumentsIn(message: Record<string, unknown>): string {
  const calls = message['tool_calls'];
  const [call] = Array.isArray(calls) ? calls.filter(isRecord) : [];
  const made =
    call !== undefined && (call['index'] === undefined || call['index'] === 0) ? call['function'] : null;
  return isRecord(made) && typeof made['arguments'] === 'string' ? made['arguments'] : '';
}

/** The answer where its content is empty: the arguments of a tool call, or a thinking that ended by itself. */
export function answerBeside(ended: FinishReason | null, ofCall: string, reasoning: string): string {
  if (ofCall !== '') return ofCall;
  return ended === 'stop' ? reasoning : '';
}

/** Null where the answer has not ended. Throws where the endpoint failed in the middle of it. */
export function finishReasonIn(choice: Record<string, unknown>): FinishReason | null {
  const reason = choice['finish_reason'];
  if (reason === undefined || reason === null || reason === '') return null;
  const name = typeof reason === 'string' ? reason.toLowerCase() : '';
  if (FAILED_ENDS.includes(name)) {
    throw new EndpointComplaintError(complaintIn(null, { message: 'The answer broke off', code: name }));
  }
  return FINISHED[name] ?? 'other';
}

/** Null where there is none that could be right. */
export function usageIn(body: Record<string, unknown>): Answer['usage'] {
  const beside = isRecord(body['x_groq']) ? body['x_groq']['usage'] : undefined;
  const usage = isRecord(body['usage']) ? body['usage'] : beside;
  if (!isRecord(usage)) return null;
  const inputTokens = tokens(usage['prompt_tokens'] ?? usage['input_tokens']);
  const outputTokens = tokens(usage['completion_tokens'] ?? usage['output_tokens']);
  return inputTokens === null || outputTokens === null ? null : { inputTokens, outputTokens };
}

export function malformed(what: string, retryable = true): ModelFailure {
  return new ModelFailure('malformed-response', `The endpoint did not answer as it should: ${what}.`, {
    retryable,
  });
}

function partText(part: unknown): string {
  if (typeof part === 'string') return part;
  if (!isRecord(part)) throw malformed('a part of its answer is neither text nor object');
  // Thinking and images are parts too, and not the answer.
  if (part['type'] !== undefined && part['type'] !== 'text' && part['type'] !== 'output_text') return '';
  return typeof part['text'] === 'string' ? part['text'] : '';
}

function choiceError(body: Record<string, unknown>): unknown {
  const error = choiceIn(body)?.['error'];
  return isRecord(error) || (typeof error === 'string' && error !== '') ? { error } : null;
}

function tokens(value: unknown): number | null {
  return typeof value === 'number' && value >= 0 && value <= MAX_TOKENS ? Math.round(value) : null;
}
