import { stripUnsafe } from '../../core/text/untrusted-text';
import type { ModelFailureKind } from '../model/port/model-failure';

export interface AskedOf {
  /** The API's address without a query. */
  address: string;
  model: string;
  hasKey: boolean;
}

const MAX_MODELS = 20;
const MAX_MODEL_CHARS = 100;

export function failureMessage(
  kind: ModelFailureKind,
  asked: AskedOf,
  found: { status: number | null; contextWindow: number | null },
): string {
  const { address } = asked;
  const model = shownModel(asked.model);
  const status = found.status === null ? '' : ` (${found.status})`;
  switch (kind) {
    case 'unreachable':
      return `There is no connection to ${address}: is its server running, and is OPENAI_BASE_URL right?`;
    case 'timeout':
      return `${address} gave up waiting for ${model}${status}.`;
    case 'rate-limited':
      return `${address} limits how often ${model} is asked${status}.`;
    case 'overloaded':
      return `${address} cannot take the request now${status}.`;
    case 'server-error':
      return `${address} failed${status}.`;
    case 'quota-exceeded':
      return `The account at ${address} has no quota left${status}: add credit, or raise its limit.`;
    case 'wrong-key':
      if (!asked.hasKey) return `${address} wants an API key${status}: set OPENAI_API_KEY.`;
      return found.status === 403
        ? `${address} refuses access to ${model}${status}: check what the key in OPENAI_API_KEY may use.`
        : `${address} refuses the API key${status}: check OPENAI_API_KEY.`;
    case 'unknown-model':
      return `${address} has no ${model}${status}.`;
    case 'context-length':
      return found.contextWindow === null
        ? `The request is too long for ${model} at ${address}${status}.`
        : `The request is too long for ${model} at ${address}${status}: it takes ${found.contextWindow} tokens.`;
    case 'content-filter':
      return `The content filter of ${address} refuses the request${status}.`;
    case 'schema-rejected':
      return `${address} takes no such schema for ${model}${status}.`;
    case 'bad-request':
      return refusal(address, found.status, status);
    case 'malformed-response':
      return `What ${address} sent is no answer${status}.`;
  }
}

export function modelsMessage(names: readonly string[]): string {
  if (names.length === 0) return 'It lists no models.';
  const shown = names.slice(0, MAX_MODELS).map((name) => stripUnsafe(name).slice(0, MAX_MODEL_CHARS));
  const rest = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `It has ${shown.join(', ')}${rest}.`;
}

function refusal(address: string, code: number | null, status: string): string {
  if (code !== null && code >= 300 && code < 400) {
    return `${address} redirects to another address${status}, where nothing is sent: set OPENAI_BASE_URL to it.`;
  }
  return code === 404 || code === 405
    ? `There are no chat completions at ${address}${status}: check OPENAI_BASE_URL.`
    : `${address} refuses the request${status}.`;
}

function shownModel(model: string): string {
  return `model "${stripUnsafe(model).slice(0, MAX_MODEL_CHARS)}"`;
}
