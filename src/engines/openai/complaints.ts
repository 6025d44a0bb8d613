import { APIError } from 'openai';
import { isRecord, tryParseJson } from '../../lib/json';
import type { ModelFailureKind, OutputMode } from '../model/port';
import phrases from './data/phrases.json';

/** An endpoint's error in one shape. Do not show it: it may repeat the request. */
export interface ErrorResponse {
  /** HTTP status, or the status within a body that came with 200. */
  status: number | null;
  message: string;
  /** All names and values of the error in lower case, without repeated parts of the request. */
  words: string;
  headers: Headers;
}

const MAX_CHARS = 4_000;

/** Fields that repeat the request or the answer. */
const ECHO_FIELDS = [
  'input',
  'ctx',
  'failed_generation',
  'request',
  'messages',
  'prompt_text',
  'url',
  'flagged_input',
];

export function parseErrorResponse(error: unknown): ErrorResponse | null {
  if (!(error instanceof APIError)) return null;
  // The SDK leaves their types open.
  const { status, headers, error: body } = error as { status: unknown; headers: unknown; error: unknown };
  if (body === undefined && status === undefined) return null;
  const said = typeof body === 'string' ? bodyText(body) : body;
  const inner = innerError(said);
  return {
    status: typeof status === 'number' ? status : errorStatus(inner),
    message: errorSentence(inner).slice(0, MAX_CHARS),
    words: errorWords(said)
      .join(' ')
      .slice(0, MAX_CHARS * 2)
      .toLowerCase(),
    headers: withHeadersInBody(headers instanceof Headers ? headers : new Headers(), inner),
  };
}

/** Throws `APIError` if a body or event with status 200 is an error. */
export function throwIfError(body: Record<string, unknown>): void {
  const { error, detail, promptFeedback } = body;
  const isError =
    (isRecord(error) ? Object.keys(error).length > 0 : isText(error)) ||
    body['object'] === 'error' ||
    body['type'] === 'error' ||
    (isRecord(promptFeedback) && isText(promptFeedback['blockReason'])) ||
    (body['choices'] === undefined && (isText(detail) || Array.isArray(detail) || isText(body['message'])));
  if (isError) throw new APIError(undefined, body, undefined, undefined);
}

/**
 * Kinds of statuses, unless the words of the error name a more specific kind. For other statuses only the words
 * decide.
 */
const STATUS_KINDS: Readonly<Record<number, ModelFailureKind>> = {
  401: 'wrong-key',
  402: 'quota-exceeded',
  403: 'wrong-key',
  408: 'timeout',
  409: 'overloaded',
  413: 'context-length',
  425: 'overloaded',
  429: 'rate-limited',
  503: 'overloaded',
  504: 'timeout',
  524: 'timeout',
  529: 'overloaded',
};

const WRONG_KEY = anyPattern(phrases.wrongKey);
const NO_QUOTA = anyPattern(phrases.noQuota);
const QUOTA_RESETS = anyPattern(phrases.resets);
const FILTERED = anyPattern(phrases.filtered);
const UNKNOWN_MODEL = anyPattern(phrases.unknownModel);
const SCHEMA_WORDS = anyPattern(phrases.schema);
const TOO_LONG = anyPattern(phrases.tooLong);
/** A request that exceeds a limit per minute by itself never succeeds. */
const TOO_LARGE = /request too large|input or output tokens must be reduced/;

/** `rung` is the output mode of the request. */
export function failureKindOf(complaint: ErrorResponse, rung: OutputMode | null): ModelFailureKind {
  const { status, words } = complaint;
  const isServers = status !== null && status >= 500;
  if (isPromptTooLong(complaint)) return 'context-length';
  // A quota that resets is a rate limit.
  const isSpent = NO_QUOTA.test(words) || /exceeded your current quota/.test(words);
  if (!isServers && isSpent && !(status === 429 && QUOTA_RESETS.test(words))) return 'quota-exceeded';
  if (!isServers && status !== 429 && WRONG_KEY.test(words)) return 'wrong-key';
  if (status !== 401 && status !== 429 && !isServers && FILTERED.test(words)) return 'content-filter';
  // Some proxies send it with status 503.
  if (words.includes('model_not_found')) return 'unknown-model';
  const ofStatus = status === null ? undefined : STATUS_KINDS[status];
  if (ofStatus !== undefined) return ofStatus;
  const hasSchema = rung !== null && rung !== 'prompt-only';
  if (hasSchema && namesSchema(complaint)) return 'schema-rejected';
  if (isUnknownModelError(complaint)) return 'unknown-model';
  // The schema is the most likely cause, because endpoints differ most in their support of schemas.
  if (hasSchema && isUnclear(complaint)) return 'schema-rejected';
  if (isServers) return 'server-error';
  if (status !== null) return 'bad-request';
  if (/rate[_ ]?limit|too many requests|resource_exhausted/.test(words)) return 'rate-limited';
  if (/overloaded|capacity|loading model|insufficient_system_resource|unavailable|later/.test(words))
    return 'overloaded';
  return /invalid_request|bad ?request|validation/.test(words) ? 'bad-request' : 'server-error';
}

export function isUnknownModelError({ status, words }: ErrorResponse): boolean {
  return (status === null || status < 500 || words.includes('model_not_found')) && UNKNOWN_MODEL.test(words);
}

function namesSchema({ words }: ErrorResponse): boolean {
  return SCHEMA_WORDS.test(words);
}

function isUnclear({ status, words }: ErrorResponse): boolean {
  return (status === 400 || status === 422) && !/\bmessages?\[|\brole\b/.test(words);
}

export function isPromptTooLong({ status, words }: ErrorResponse): boolean {
  if (TOO_LARGE.test(words)) return true;
  return status === 413 || (status !== 429 && TOO_LONG.test(words));
}

const CONTEXT_SIZE_PATTERNS = phrases.contextSize.map((pattern) => new RegExp(pattern));

/** True if the model has used up its output tokens on thinking. OpenAI then rejects the request. */
export function ranOutOfOutputTokens({ words }: ErrorResponse): boolean {
  return /higher max_|output limit was reached/.test(words);
}

/** In tokens; null if the error does not state it. */
export function statedContextWindow({ words }: ErrorResponse): number | null {
  for (const pattern of CONTEXT_SIZE_PATTERNS) {
    const size = Number(pattern.exec(words)?.[1]?.replace(/[,_]/g, ''));
    if (Number.isSafeInteger(size) && size > 0) return size;
  }
  return null;
}

/** Under `error`, in a list, or the body itself. */
function innerError(body: unknown): unknown {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (!isRecord(first)) return first;
  if (isRecord(first['error']) || isText(first['error'])) return first['error'];
  return Array.isArray(first['errors']) ? innerError(first['errors']) : first;
}

function errorSentence(error: unknown): string {
  if (isText(error)) return error;
  if (!isRecord(error)) return '';
  for (const name of ['message', 'msg', 'detail', 'error', 'error_description', 'title']) {
    const value = error[name];
    if (isText(value)) return value;
    if (Array.isArray(value)) return value.map((item) => validationProblem(item)).join('; ');
    if (isRecord(value)) return errorSentence(value);
  }
  return '';
}

/** An item of FastAPI's list of validation errors. */
function validationProblem(item: unknown): string {
  if (!isRecord(item)) return isText(item) ? item : '';
  const place = Array.isArray(item['loc']) ? item['loc'].map((part) => String(part)).join('.') : '';
  return `${place}: ${isText(item['msg']) ? item['msg'] : ''}`;
}

function errorWords(value: unknown, depth = 0): string[] {
  if (depth > 8 || value === null || value === undefined) return [];
  if (typeof value === 'string') {
    const inner = value.includes('{') ? tryParseJson(value) : undefined;
    return isRecord(inner) ? errorWords(inner, depth + 1) : [value.slice(0, MAX_CHARS)];
  }
  if (Array.isArray(value)) return value.slice(0, 8).flatMap((item: unknown) => errorWords(item, depth + 1));
  if (!isRecord(value)) return [JSON.stringify(value)];
  return Object.entries(value)
    .filter(([name]) => !ECHO_FIELDS.includes(name))
    .flatMap(([name, item]) => {
      const said = errorWords(item, depth + 1);
      return said.length === 0 ? [] : [`${name}:`, ...said];
    });
}

function errorStatus(error: unknown): number | null {
  if (!isRecord(error)) return null;
  const numbers = ['status', 'code', 'status_code', 'http_code'].map((name) => Number(error[name]));
  return numbers.find((value) => Number.isInteger(value) && value >= 400 && value <= 599) ?? null;
}

function bodyText(body: string): string {
  const text = body.trim();
  if (!/^<(?:!doctype|html|head|\?xml)/i.test(text)) return text.slice(0, MAX_CHARS);
  return /<title[^>]{0,200}>([^<]{0,200})/i.exec(text.slice(0, MAX_CHARS))?.[1]?.trim() ?? '';
}

/** OpenRouter puts a provider's headers into the body. */
function withHeadersInBody(headers: Headers, error: unknown): Headers {
  const metadata = isRecord(error) ? error['metadata'] : null;
  const inner = isRecord(metadata) ? metadata['headers'] : null;
  if (!isRecord(inner)) return headers;
  const all = new Headers(headers);
  for (const [name, value] of Object.entries(inner)) {
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && /^[\w-]+$/.test(name) && /^[\w.,:+ -]{1,80}$/.test(text))
      all.set(name, text);
  }
  return all;
}

function anyPattern(parts: readonly string[]): RegExp {
  return new RegExp(parts.join('|'));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** Request parameters, learned from the endpoint's refusals. Kept in memory. */
export interface RequestParameters {
  /** The older name comes first: servers that do not know the newer one silently ignore the limit. */
  maxTokens: 'max_tokens' | 'max_completion_tokens';
  /** Null if unknown. */
  maxOutput: number | null;
  /** `asked` is the request's temperature; a number is the only value that the model accepts. */
  temperature: 'asked' | 'none' | number;
  stream: boolean;
  streamUsage: boolean;
  strictSchema: boolean;
  /** False puts the system message at the beginning of the user's. */
  system: boolean;
  /** `low` after a model has used up its tokens on thinking. */
  effort: 'default' | 'low' | 'refused';
}

export const DEFAULT_PARAMETERS: RequestParameters = {
  maxTokens: 'max_tokens',
  maxOutput: null,
  temperature: 'asked',
  stream: true,
  streamUsage: true,
  strictSchema: true,
  system: true,
  effort: 'default',
};

export interface SentRequest {
  hasFormat: boolean;
  hasSchema: boolean;
  hasSystem: boolean;
  maxOutput: number;
}

export interface ParameterAttempt {
  differences: RequestParameters;
  /** The parameters without the current experiment. */
  sure: RequestParameters;
  /** The refusal before the current experiment. */
  refusal: string;
  left: readonly Experiment[];
}

interface Experiment {
  change: Partial<RequestParameters>;
  applies: (differences: RequestParameters, sent: SentRequest) => boolean;
}

/** Most frequent first; changed one by one if a refusal names no parameter. */
export const EXPERIMENTS: readonly Experiment[] = [
  { change: { streamUsage: false }, applies: ({ stream, streamUsage }) => stream && streamUsage },
  { change: { effort: 'refused' }, applies: ({ effort }) => effort === 'low' },
  {
    change: { strictSchema: false },
    applies: ({ strictSchema }, { hasSchema }) => hasSchema && strictSchema,
  },
  { change: { temperature: 'none' }, applies: ({ temperature }) => temperature === 'asked' },
  { change: { system: false }, applies: ({ system }, { hasSystem }) => hasSystem && system },
  { change: { maxTokens: 'max_completion_tokens' }, applies: ({ maxTokens }) => maxTokens === 'max_tokens' },
  { change: { stream: false }, applies: ({ stream }) => stream },
];

/** Statuses about the key, load or time, never about a parameter. */
const NON_PARAMETER_STATUSES = [401, 402, 403, 408, 409, 425, 429, 502, 503, 504, 524, 529];

/** Returns null if nothing is left to change. */
export function nextAttempt(
  attempt: ParameterAttempt,
  complaint: ErrorResponse,
  sent: SentRequest,
): ParameterAttempt | null {
  const { status, words } = complaint;
  if (status !== null && NON_PARAMETER_STATUSES.includes(status)) return null;
  const named = parameterChange(attempt.differences, complaint, sent);
  // Numbers and ids differ between equal refusals.
  const refusal = words.replace(/\S*\d\S*/g, '#');
  if (named !== null) {
    const differences = { ...attempt.differences, ...named };
    return { ...attempt, differences, sure: differences, refusal };
  }
  const isOpen = (status === 400 || status === 422) && failureKindOf(complaint, null) === 'bad-request';
  if (!isOpen || (sent.hasFormat && namesSchema(complaint))) return null;
  // An equal refusal means that the experiment did not help, so it is reverted.
  const sure = refusal === attempt.refusal ? attempt.sure : attempt.differences;
  const [next, ...left] = attempt.left.filter(({ applies }) => applies(sure, sent));
  return next === undefined ? null : { differences: { ...sure, ...next.change }, sure, refusal, left };
}

const REFUSED = anyPattern(phrases.refused);

const OUTPUT_TOKENS = anyPattern(phrases.outputTokens);
/** The value is rejected, not the parameter. */
const BAD_VALUE = anyPattern(phrases.badValue);
/** A lower limit has no room for an answer. */
const MIN_OUTPUT_TOKENS = 64;

const SYSTEM_ROLE = anyPattern(phrases.systemRole);
/** Errors of chat templates without a system message. */
const TEMPLATE_ROLES = /only user(?:,| and)|roles must alternate/;

const STRICTNESS = anyPattern(phrases.strictness);

/** Null if the refusal names nothing that can change. */
function parameterChange(
  known: RequestParameters,
  complaint: ErrorResponse,
  sent: SentRequest,
): Partial<RequestParameters> | null {
  const { words } = complaint;
  const isRefused = REFUSED.test(words);
  if (known.stream && known.streamUsage && /stream_options|include_usage/.test(words))
    return { streamUsage: false };
  if (isPromptTooLong(complaint)) return null;
  const other = known.maxTokens === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  const isInstead = new RegExp(`(?:use|with|by) \\W?${other}|${other}\\W? instead`).test(words);
  if (words.includes(known.maxTokens) && (isInstead || (isRefused && !BAD_VALUE.test(words))))
    return { maxTokens: other };
  const isOfOutput = OUTPUT_TOKENS.test(words) && BAD_VALUE.test(words);
  if (isOfOutput || (words.includes('token') && numbersIn(words).includes(sent.maxOutput))) {
    const maxOutput = outputLimitIn(words, sent.maxOutput);
    if (maxOutput !== null) return { maxOutput };
  }
  const isOfRoles = (isRefused && SYSTEM_ROLE.test(words)) || TEMPLATE_ROLES.test(words);
  if (sent.hasSystem && known.system && isOfRoles) return { system: false };
  if (known.effort === 'low' && /reasoning|think/.test(words)) return { effort: 'refused' };
  if (words.includes('temperature')) {
    if (known.temperature === 'asked') return { temperature: 'none' };
    const only = /(?:only|be|to)\D{1,30}(\d(?:\.\d+)?)/.exec(words)?.[1];
    if (known.temperature === 'none' && only !== undefined) return { temperature: Number(only) };
  }
  if (known.stream && isRefused && /\bstream(?:ed|ing|s)?\b/.test(words)) return { stream: false };
  if (sent.hasSchema && known.strictSchema && STRICTNESS.test(words)) return { strictSchema: false };
  return null;
}

/**
 * Returns the largest stated number below the requested limit, or half of that limit if no number is stated. Null
 * if only larger numbers are stated or half is too small.
 */
function outputLimitIn(words: string, asked: number): number | null {
  const numbers = numbersIn(words);
  const below = numbers.filter((number) => number >= MIN_OUTPUT_TOKENS && number < asked);
  if (below.length > 0) return Math.max(...below);
  const isNamed = numbers.some((number) => number > asked);
  const half = Math.floor(asked / 2);
  return isNamed || half < MIN_OUTPUT_TOKENS ? null : half;
}

function numbersIn(words: string): number[] {
  const said = words
    .replace(/(?:code|status): \d+/g, '')
    .replace(/(\d+) \(exclusive\)/g, (_whole, bound: string) => String(Number(bound) - 1));
  const found = said.matchAll(/(?<![\w.-])\d[\d,_]*(?![\w-])/g);
  return [...found].map(([number]) => Number(number.replace(/[,_]/g, '')));
}
