import { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { ConnectionFailure } from './connection-failure';
import { Complaint, complaintIn } from './endpoint/endpoint-complaint';
import { EndpointComplaintError } from './endpoint/endpoint-complaint-error';
import { kindOfComplaint } from './endpoint/endpoint-complaint-kind';
import { contextWindowIn } from './endpoint/endpoint-context-window';
import type { SchemaRung } from '../model/port/model-client';
import { mayPass, ModelFailure, type ModelFailureKind } from '../model/port/model-failure';
import { failureMessage, type AskedOf } from './failure-message';
import { WebPageError } from './web-page-error';
import { eitherOf } from '../../core/values/either-of';
import { stripUnsafe } from '../../core/text/untrusted-text';

const MAX_WAIT_MS = 600_000;

const COUNTED = ['requests', 'tokens'] as const;

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export interface FailedCall extends AskedOf, Confidential {
  rung: SchemaRung | null;
  nowMs: number;
}

const UNKNOWN_CALL: AskedOf = { address: 'The endpoint', model: '', hasKey: true };

/** Certificates and protocols do not mend themselves. */
const LASTING_CONNECTION_CODES = /CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|^ERR_(?:SSL|TLS)|^EPROTO$/;

/**
 * The one mapping of what a call can throw to a failure. It goes by class: the library's connection errors have no
 * status and the name `Error`. Without the call that failed, what the endpoint says is not repeated, because it could
 * be the request. Whether a call was cancelled is for the caller to see first.
 */
export function asModelFailure(error: unknown, call?: FailedCall): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (error instanceof EndpointComplaintError) return complaintFailure(error.complaint, new Headers(), call);
  if (error instanceof ConnectionFailure) return connectionFailure(error, call);
  if (error instanceof WebPageError) {
    const message = `${(call ?? UNKNOWN_CALL).address} answers with a web page and not as an API: check OPENAI_BASE_URL, which often ends in /v1.`;
    return new ModelFailure('bad-request', message);
  }
  if (error instanceof APIConnectionError) {
    if (error.cause instanceof ModelFailure) return error.cause;
    if (error.cause instanceof ConnectionFailure) return connectionFailure(error.cause, call);
    return plainFailure(error instanceof APIConnectionTimeoutError ? 'timeout' : 'unreachable', call);
  }
  if (error instanceof APIError) {
    // The library's types leave open what a status, headers and a body are.
    const status: unknown = error.status;
    const headers: unknown = error.headers;
    const body: unknown = error.error;
    const known = Complaint.safeParse(body);
    return complaintFailure(
      known.success ? known.data : complaintIn(typeof status === 'number' ? status : null, { error: body }),
      headers instanceof Headers ? headers : new Headers(),
      call,
    );
  }
  const name = error instanceof Error ? error.name : typeof error;
  return new ModelFailure('malformed-response', `The call to the model failed with a ${name}.`, {
    retryable: false,
  });
}

export function complaintOfError(error: unknown): Complaint | null {
  if (error instanceof EndpointComplaintError) return error.complaint;
  if (!(error instanceof APIError)) return null;
  const known = Complaint.safeParse(error.error);
  return known.success ? known.data : null;
}

function complaintFailure(
  complaint: Complaint,
  headers: Headers,
  call: FailedCall | undefined,
): ModelFailure {
  const kind = kindOfComplaint(complaint, call?.rung ?? null);
  const retryable = mayPass(kind);
  const contextWindow = kind === 'context-length' ? contextWindowIn(complaint) : null;
  const { status } = complaint;
  const says = call ? safeEndpointText(complaint.message, call) : '';
  const message = failureMessage(kind, call ?? UNKNOWN_CALL, { status, contextWindow });
  return new ModelFailure(kind, says === '' ? message : `${message} It says: ${says}`, {
    retryable,
    status,
    contextWindow,
    retryAfterMs: retryable
      ? (retryAfterMs(headers, call?.nowMs ?? Date.now()) ?? retryAfterInText(complaint.words))
      : null,
  });
}

function connectionFailure(failure: ConnectionFailure, call: FailedCall | undefined): ModelFailure {
  const { address } = call ?? UNKNOWN_CALL;
  if (failure.code.startsWith('HPE_') || failure.code.startsWith('HTTP ')) {
    return new ModelFailure('malformed-response', `${address} does not answer in HTTP (${failure.code}).`);
  }
  if (LASTING_CONNECTION_CODES.test(failure.code)) {
    const message = `There is no secure connection to ${address} (${failure.code}): check the address, and its certificate.`;
    return new ModelFailure('unreachable', message, { retryable: false });
  }
  const message = failureMessage('unreachable', call ?? UNKNOWN_CALL, { status: null, contextWindow: null });
  return new ModelFailure('unreachable', `${message} (${failure.code})`);
}

function plainFailure(kind: ModelFailureKind, call: FailedCall | undefined): ModelFailure {
  return new ModelFailure(
    kind,
    failureMessage(kind, call ?? UNKNOWN_CALL, { status: null, contextWindow: null }),
  );
}

/** What must not be in a message. */
interface Confidential {
  apiKey: string | null;
  contents: readonly string[];
}

const READ_CHARS = 400;
const SHOWN_CHARS = 240;

/** So long a piece of what was sent does not stand in an endpoint's own words by chance. */
const ECHO_CHARS = 16;

/** So long a piece of the key does not. */
const KEY_PIECE_CHARS = 6;

/** Keys by their usual prefixes, headers, what is masked with asterisks, and any long word that no language has. */
const KEYS = eitherOf(
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

/** What stands in quotation marks is often what was sent. */
const QUOTED = /(["'`“‘])((?:(?!\1)[^”’]){3,})(["'`”’])/g;

/** Words that are somebody's: with a digit, a capital inside, a hyphen or an underscore. */
const DISTINCTIVE = /[\p{L}\p{N}_-]*(?:\p{N}|_|-|\p{Ll}\p{Lu}|\p{Lu}{2})[\p{L}\p{N}_-]*/gu;

const LEFT_OUT = '…';

/**
 * An endpoint's words, fit to be shown in a message and kept in a log: one line, short, without keys, and without what
 * they repeat of the request.
 */
function safeEndpointText(text: string, confidential: Confidential): string {
  const line = oneLine(
    text
      .slice(0, READ_CHARS)
      .replace(/\\u([0-9a-f]{4})/gi, (_escape, digits: string) => String.fromCharCode(parseInt(digits, 16)))
      .replace(/\\[nrt]/g, ' ')
      .replace(/(https?:\/\/)(?:[^\s/@]*@)?([^\s?#]*)[?#]\S*/gi, '$1$2'),
  );
  const keyless = withoutKey(line.replace(KEYS, LEFT_OUT), confidential.apiKey);
  const shown = withoutEchoes(keyless, confidential.contents).replace(/…(?:[\s"'`“”‘’,;:.…]*…)+/g, LEFT_OUT);
  return shown.length > SHOWN_CHARS ? `${shown.slice(0, SHOWN_CHARS - 1).trimEnd()}…` : shown;
}

function oneLine(text: string): string {
  return stripUnsafe(text).replace(/\s+/g, ' ').trim();
}

function withoutKey(text: string, apiKey: string | null): string {
  if (apiKey === null || apiKey.length < KEY_PIECE_CHARS) return text;
  return text.replace(/\S+/g, (word) => (sharesPiece(word, apiKey, KEY_PIECE_CHARS) ? LEFT_OUT : word));
}

function sharesPiece(text: string, whole: string, chars: number): boolean {
  for (let start = 0; start + chars <= text.length; start += 1) {
    if (whole.includes(text.slice(start, start + chars))) return true;
  }
  return false;
}

function withoutEchoes(text: string, contents: readonly string[]): string {
  const sent = contents.map((content) => oneLine(content).toLowerCase());
  const wasSent = (piece: string): boolean => {
    const lowered = piece.trim().toLowerCase();
    return lowered !== '' && sent.some((content) => content.includes(lowered));
  };
  const echoed = new Array<boolean>(text.length).fill(false);
  for (let start = 0; start + ECHO_CHARS <= text.length; start += 1) {
    if (wasSent(text.slice(start, start + ECHO_CHARS))) echoed.fill(true, start, start + ECHO_CHARS);
  }
  for (const match of [...text.matchAll(QUOTED), ...text.matchAll(DISTINCTIVE)]) {
    const piece = match[2] ?? match[0];
    if (piece.length < 3 || !wasSent(piece)) continue;
    const start = match.index + match[0].indexOf(piece);
    echoed.fill(true, start, start + piece.length);
  }
  let kept = '';
  for (const [index, isEcho] of echoed.entries()) {
    if (!isEcho) kept += text[index] ?? '';
    else if (index === 0 || echoed[index - 1] !== true) kept += LEFT_OUT;
  }
  return kept;
}

/**
 * How long an endpoint asks to wait, 0 to 600,000 milliseconds; null where it does not say. Its own clock (the `date`
 * header) is what its dates are held against; `nowMs` stands in where it sends none.
 */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const wait =
    plainNumber(headers.get('retry-after-ms')) ??
    secondsOrDate(headers.get('retry-after'), serverClock(headers, nowMs)) ??
    reset(headers, serverClock(headers, nowMs));
  return wait === null ? null : clamped(wait);
}

/** The wait that a message or an error's details name: `try again in 6.2s`, `"retryDelay": "17s"`. */
export function retryAfterInText(text: string): number | null {
  const found =
    /(?:try again in|retry(?: again)? (?:in|after)|retryDelay\W{1,5})\s*((?:\d+(?:\.\d+)?(?:ms|[smhd]))+)/i.exec(
      text,
    );
  const wait = found?.[1] === undefined ? null : duration(found[1]);
  return wait === null ? null : clamped(wait);
}

function clamped(waitMs: number): number {
  return Math.min(Math.max(Math.ceil(waitMs), 0), MAX_WAIT_MS);
}

function serverClock(headers: Headers, nowMs: number): number {
  return httpDate(headers.get('date')) ?? nowMs;
}

function plainNumber(text: string | null): number | null {
  const trimmed = text?.trim() ?? '';
  return /^-?\d{1,15}(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : null;
}

/** Every form of a date in HTTP begins with the day's name, and ISO dates with the year; `Date.parse` takes much more. */
function httpDate(text: string | null): number | null {
  const trimmed = text?.trim() ?? '';
  if (
    !/^(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?[, ]|\d{4}-\d\d-\d\dT)/.test(trimmed)
  ) {
    return null;
  }
  const time = Date.parse(trimmed);
  return Number.isNaN(time) ? null : time;
}

function secondsOrDate(text: string | null, clockMs: number): number | null {
  const seconds = plainNumber(text);
  if (seconds !== null) return seconds * 1000;
  const date = httpDate(text);
  return date === null ? null : date - clockMs;
}

/** Of requests and tokens, the one that has run out; where neither has, tokens, because a request wants many of them. */
function reset(headers: Headers, clockMs: number): number | null {
  const waits = COUNTED.map((counted) => ({
    remaining: plainNumber(headers.get(`x-ratelimit-remaining-${counted}`)),
    waitMs: resetTime(headers.get(`x-ratelimit-reset-${counted}`), clockMs),
  })).filter((wait) => wait.waitMs !== null);
  const spent = waits.filter((wait) => wait.remaining === 0);
  const chosen = spent.length > 0 ? Math.max(...spent.map((wait) => wait.waitMs ?? 0)) : waits.at(-1)?.waitMs;
  return chosen ?? resetTime(headers.get('x-ratelimit-reset'), clockMs);
}

/** `1m30s`, `20ms`, seconds, seconds or milliseconds since 1970, or a date. */
function resetTime(text: string | null, clockMs: number): number | null {
  if (text === null) return null;
  const value = plainNumber(text);
  if (value === null) return duration(text.trim()) ?? secondsOrDate(text, clockMs);
  if (value > 1e11) return value - clockMs;
  if (value > 1e8) return value * 1000 - clockMs;
  return value * 1000;
}

function duration(text: string): number | null {
  if (!/^(?:\d{1,12}(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return null;
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)].reduce(
    (sum, [, amount, unit]) => sum + Number(amount) * (UNIT_MS[unit ?? ''] ?? 0),
    0,
  );
}
