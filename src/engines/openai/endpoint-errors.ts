import { APIConnectionError, APIConnectionTimeoutError } from 'openai';
import { errorCode } from '../../lib/errors';
import { alternation, stripUnsafe } from '../../lib/untrusted-text';
import { isRetryable, ModelFailure, type ModelFailureKind, type OutputMode } from '../model/port';
import { type ErrorResponse, failureKindOf, parseErrorResponse, statedContextWindow } from './complaints';
import { isAzureAddress, WebPageError } from './connection';

export interface FailedCall {
  /** Without the query. */
  address: string;
  maxBytes: number;
  model: string;
  apiKey: string | null;
  /** Texts of the messages, which a failure must not repeat. */
  contents: readonly string[];
  rung: OutputMode | null;
  nowMs: number;
}

/** Errors of certificates and protocols, which do not pass. */
const PERMANENT_CODES = /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|^ERR_(?:SSL|TLS)|^EPROTO$/;

/** The caller handles cancellation. */
export function toModelFailure(error: unknown, asked: FailedCall): ModelFailure {
  if (error instanceof ModelFailure) return error;
  const { address } = asked;
  if (error instanceof WebPageError) {
    const message = `${address} answers with a web page and not as an API: check OPENAI_BASE_URL, which often ends in /v1.`;
    return new ModelFailure('bad-request', message);
  }
  const complaint = parseErrorResponse(error);
  if (complaint !== null) return complaintFailure(complaint, asked);
  if (error instanceof SyntaxError) return malformedResponse('a part of its stream is not JSON');
  const cause = error instanceof APIConnectionError ? error.cause : error;
  if (error instanceof APIConnectionTimeoutError) return connectionFailure('ETIMEDOUT', asked);
  const code = errorCode(cause);
  if (code !== null) return connectionFailure(code, asked);
  const isNoHttp = cause instanceof Error && cause.name === 'HTTPParserError';
  if (isNoHttp && cause !== error)
    return new ModelFailure('malformed-response', `${address} does not answer in HTTP.`);
  if (isNoHttp || error instanceof APIConnectionError) return connectionFailure('broken off', asked);
  const name = error instanceof Error ? error.name : typeof error;
  return new ModelFailure('malformed-response', `The call to the model failed with a ${name}.`, {
    retryable: false,
  });
}

export function malformedResponse(what: string, retryable = true): ModelFailure {
  return new ModelFailure('malformed-response', `The endpoint did not answer as it should: ${what}.`, {
    retryable,
  });
}

export function unknownModelFailure(
  asked: Pick<FailedCall, 'address' | 'model'>,
  status: number | null,
  names: readonly string[],
): ModelFailure {
  const shown = names.slice(0, MAX_MODELS).map((name) => stripUnsafe(name).slice(0, MAX_MODEL_CHARS));
  const rest = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  const has = names.length === 0 ? 'It lists no models.' : `It has ${shown.join(', ')}${rest}.`;
  const message = failureMessage(
    'unknown-model',
    { ...asked, apiKey: null },
    { status, contextWindow: null },
  );
  return new ModelFailure('unknown-model', `${message} ${has}`, { status });
}

function complaintFailure(complaint: ErrorResponse, asked: FailedCall): ModelFailure {
  const kind = failureKindOf(complaint, asked.rung);
  const retryable = isRetryable(kind);
  const contextWindow = kind === 'context-length' ? statedContextWindow(complaint) : null;
  const { status, headers, words } = complaint;
  const message = failureMessage(kind, asked, { status, contextWindow });
  const says = redactedText(complaint.message, asked);
  return new ModelFailure(kind, says === '' ? message : `${message} It says: ${says}`, {
    retryable,
    status,
    says,
    contextWindow,
    retryAfterMs: retryable
      ? (retryAfterMs(headers, asked.nowMs) ?? retryAfterInText(words, asked.nowMs))
      : null,
  });
}

function connectionFailure(code: string, { address, maxBytes }: FailedCall): ModelFailure {
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    const message = `The answer of ${address} is over ${maxBytes} bytes, more than any answer has; it was not read further.`;
    return new ModelFailure('malformed-response', message, { retryable: false });
  }
  if (PERMANENT_CODES.test(code)) {
    const message = `There is no secure connection to ${address} (${code}): check the address, and its certificate.`;
    return new ModelFailure('unreachable', message, { retryable: false });
  }
  const message = `There is no connection to ${address}: is its server running, and is OPENAI_BASE_URL right? (${code})`;
  return new ModelFailure('unreachable', message);
}

const MAX_MODELS = 20;
const MAX_MODEL_CHARS = 100;

function failureMessage(
  kind: ModelFailureKind,
  asked: Pick<FailedCall, 'address' | 'model' | 'apiKey'>,
  found: { status: number | null; contextWindow: number | null },
): string {
  const { address } = asked;
  const model = `model "${stripUnsafe(asked.model).slice(0, MAX_MODEL_CHARS)}"`;
  const status = found.status === null ? '' : ` (${found.status})`;
  const takes = found.contextWindow === null ? '' : `: it takes ${found.contextWindow} tokens`;
  switch (kind) {
    case 'unreachable':
      return `There is no connection to ${address}${status}.`;
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
      if (asked.apiKey === null) return `${address} wants an API key${status}: set OPENAI_API_KEY.`;
      return found.status === 403
        ? `${address} refuses access to ${model}${status}: check what the key in OPENAI_API_KEY may use.`
        : `${address} refuses the API key${status}: check OPENAI_API_KEY.${azureHint(address)}`;
    case 'unknown-model':
      return `${address} has no ${model}${status}.`;
    case 'context-length':
      return `The request is too long for ${model} at ${address}${status}${takes}.`;
    case 'content-filter':
      return `The content filter of ${address} refuses the request${status}.`;
    case 'schema-rejected':
      return `${address} takes no such schema for ${model}${status}.`;
    case 'malformed-response':
      return `What ${address} sent is no answer${status}.`;
    case 'bad-request':
      return badRequestMessage(address, found.status ?? 0, status);
  }
}

function badRequestMessage(address: string, code: number, status: string): string {
  if (code >= 300 && code < 400)
    return `${address} redirects to another address${status}, where nothing is sent: set OPENAI_BASE_URL to it.`;
  return code === 404 || code === 405
    ? `There are no chat completions at ${address}${status}: check OPENAI_BASE_URL.${azureHint(address)}`
    : `${address} refuses the request${status}.`;
}

function azureHint(address: string): string {
  if (!isAzureAddress(address)) return '';
  return ' Azure OpenAI wants https://RESOURCE.openai.azure.com/openai/v1 as OPENAI_BASE_URL and the key of that resource, or an address with /openai/deployments/NAME and ?api-version=….';
}

const READ_CHARS = 400;
const SHOWN_CHARS = 240;

/** A shared piece of this length identifies the key. */
const KEY_PIECE_CHARS = 6;
/** So many consecutive words of the request are an echo. */
const ECHO_WORDS = 3;

/** Common key prefixes, headers, masked keys, and any long random word. */
const KEYS = alternation(
  [
    /\bBearer\s+\S+/,
    /\b(?:sk|pk|rk|gsk|hf|xai|key|ghp|AIza|org|proj)[-_][\w*.…-]{4,}/,
    /\bAIza[\w-]{8,}/,
    /\S*\*{3,}\S*/,
    /(?<=\b(?:api[-_ ]?key|token|authorization|password|secret)\W{1,3})[\w.+/-]{6,}/,
    /\b(?=[\w+/-]*\d)[\w+/-]{28,}={0,2}/,
  ],
  'gi',
);

const WORDS = /[\p{L}\p{N}_-]+/gu;

/** With a digit, a hyphen, an underscore or an inner capital. */
const DISTINCTIVE = /[\p{N}_-]|.\p{Lu}/u;

const QUOTED = /(["'`“‘])([^"'`”’]{3,})(["'`”’])/g;

/** Without keys and text of the request. */
function redactedText(text: string, { apiKey, contents }: FailedCall): string {
  const plain = stripUnsafe(
    text
      .slice(0, READ_CHARS)
      .replace(/\\u([0-9a-f]{4})/gi, (_escape, digits: string) => String.fromCharCode(parseInt(digits, 16)))
      .replace(/\\[nrt]/g, ' ')
      .replace(/(https?:\/\/)(?:[^\s/@]*@)?([^\s?#]*)[?#]\S*/gi, '$1$2'),
  );
  const keyless = plain
    .replace(/\s+/g, ' ')
    .trim()
    .replace(KEYS, '…')
    .replace(/\S+/g, (word) => (apiKey !== null && sharesPiece(word, apiKey, KEY_PIECE_CHARS) ? '…' : word));
  const shown = removeEchoes(keyless, contents).replace(/…(?:[\s"'`“”‘’,;:.…]*…)+/g, '…');
  return shown.length > SHOWN_CHARS ? `${shown.slice(0, SHOWN_CHARS - 1).trimEnd()}…` : shown;
}

function removeEchoes(said: string, contents: readonly string[]): string {
  const sent = stripUnsafe(contents.join(' | ')).toLowerCase();
  const sentWords = sent.match(WORDS) ?? [];
  const runs = new Set(sentWords.map((_word, at) => sentWords.slice(at, at + ECHO_WORDS).join(' ')));
  const text = said.replace(QUOTED, (whole, open: string, inner: string, close: string) =>
    sent.includes(inner.trim().toLowerCase()) ? `${open}…${close}` : whole,
  );
  const words = [...text.matchAll(WORDS)];
  const isEcho = words.map(({ 0: word, index }) => {
    const lowered = word.toLowerCase();
    if (/[^\u0000-\u007f]/.test(word)) return sharesPiece(lowered, sent, Math.min(3, word.length));
    const isName = /[a-z,;:] [A-Z]$/.test(text.slice(Math.max(0, index - 2), index + 1));
    return word.length > 2 && (isName || DISTINCTIVE.test(word)) && sent.includes(lowered);
  });
  words.forEach((_word, at) => {
    const run = words.slice(at, at + ECHO_WORDS).map(({ 0: word }) => word.toLowerCase());
    if (run.length === ECHO_WORDS && runs.has(run.join(' '))) isEcho.fill(true, at, at + ECHO_WORDS);
  });
  let kept = '';
  let from = 0;
  for (const [at, { 0: word, index }] of words.entries()) {
    kept += text.slice(from, index) + (isEcho[at] === true ? '…' : word);
    from = index + word.length;
  }
  return kept + text.slice(from);
}

function sharesPiece(text: string, whole: string, chars: number): boolean {
  for (let start = 0; start + chars <= text.length; start += 1) {
    if (whole.includes(text.slice(start, start + chars))) return true;
  }
  return false;
}

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Longer waits are errors of the endpoint. Quotas reset within a day, a few within a week. */
const MAX_WAIT_MS = 7 * 86_400_000;

const DURATION = String.raw`(?:\d{1,12}(?:\.\d+)?(?:ms|[smhd]))+`;

const WAIT_IN_TEXT = new RegExp(
  String.raw`(?:try again in|retry(?: again)? (?:in|after)|reset(?:s)? (?:in|after)|wait|retry_?(?:delay|after)(?:_?seconds)?\W{1,5})\s*` +
    String.raw`(${DURATION}|\d{1,9}(?:\.\d+)? ?(?:milliseconds?|seconds?|secs?|minutes?|mins?|hours?|days?)?)(?!\w)`,
  'i',
);

const DATE_IN_TEXT =
  /(?:reset|retry|again|until|available)[^.]{0,40}?(\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d))/i;

/** Null if the headers have no wait. Dates are relative to the endpoint's `date` header, or to `nowMs` without one. */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const clockMs = httpDate(headers.get('date')) ?? nowMs;
  const wait =
    plainNumber(headers.get('retry-after-ms')) ??
    secondsOrDate(headers.get('retry-after'), clockMs) ??
    resetWait(headers, clockMs);
  return wait === null ? null : clampWait(wait);
}

/** An exhausted daily quota of Google. Its `retryDelay` is that of the quota per minute. */
const GOOGLE_DAILY_QUOTA = /quotaid\W+\w*perday/i;

/** Reads the wait from an error's text: `try again in 6.2s`, `after 26 seconds`, `retryDelay: 17s`. */
export function retryAfterInText(text: string, nowMs: number): number | null {
  if (GOOGLE_DAILY_QUOTA.test(text)) return untilMidnight('America/Los_Angeles', nowMs);
  const found = WAIT_IN_TEXT.exec(text)?.[1]?.toLowerCase();
  if (found !== undefined) {
    const [, amount, unit = ''] = /^([\d.]+) ?([a-z]*)$/.exec(found) ?? [];
    const unitMs = unit.startsWith('milli') ? 1 : (UNIT_MS[unit.charAt(0)] ?? 1000);
    return clampWait(parseDuration(found) ?? Number(amount) * unitMs);
  }
  const date = Date.parse(DATE_IN_TEXT.exec(text)?.[1]?.toUpperCase() ?? '');
  return Number.isNaN(date) ? null : clampWait(date - nowMs);
}

function untilMidnight(timeZone: string, nowMs: number): number {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' }).format(nowMs);
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number);
  return 86_400_000 - ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

function clampWait(waitMs: number): number {
  return Math.min(Math.max(Math.ceil(waitMs), 0), MAX_WAIT_MS);
}

/** The longest reset of an exhausted limit, else the token limit's, because requests need many tokens. */
function resetWait(headers: Headers, clockMs: number): number | null {
  const resets = [...headers]
    .filter(([name]) => /ratelimit.*reset/.test(name))
    .map(([name, value]) => ({
      isOfTokens: name.includes('token'),
      left: plainNumber(headers.get(name.replace('reset', 'remaining'))),
      waitMs: parseResetTime(value, clockMs) ?? -1,
    }))
    .filter(({ waitMs }) => waitMs >= 0);
  const spent = resets.filter(({ left }) => left === 0);
  if (spent.length > 0) return Math.max(...spent.map(({ waitMs }) => waitMs));
  const likely = resets.find(({ isOfTokens }) => isOfTokens) ?? resets.find(({ left }) => left === null);
  return likely?.waitMs ?? null;
}

/** Accepts `1m30s`, `20ms`, seconds, seconds or milliseconds since 1970, or a date. */
function parseResetTime(text: string, clockMs: number): number | null {
  const value = plainNumber(text);
  if (value === null) return parseDuration(text.trim()) ?? secondsOrDate(text, clockMs);
  if (value > 1e11) return value - clockMs;
  if (value > 1e8) return value * 1000 - clockMs;
  return value * 1000;
}

function secondsOrDate(text: string | null, clockMs: number): number | null {
  const seconds = plainNumber(text);
  if (seconds !== null) return seconds * 1000;
  const date = httpDate(text);
  return date === null ? null : date - clockMs;
}

function plainNumber(text: string | null): number | null {
  const trimmed = text?.trim() ?? '';
  return /^-?\d{1,15}(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : null;
}

/** HTTP dates begin with the day's name, ISO dates with the year. `Date.parse` accepts much more. */
function httpDate(text: string | null): number | null {
  const trimmed = text?.trim() ?? '';
  if (!/^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*[, ]|\d{4}-\d\d-\d\dT)/.test(trimmed)) return null;
  const time = Date.parse(trimmed);
  return Number.isNaN(time) ? null : time;
}

function parseDuration(text: string): number | null {
  if (!new RegExp(`^${DURATION}$`).test(text)) return null;
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MS[unit ?? ''] ?? 0),
    0,
  );
}
