import { z } from 'zod';
import { isRecord } from '../../../core/values/is-record';
import { parsedJson } from '../../../core/values/parsed-json';

/** What an endpoint says is wrong, in one shape for all of theirs. Not to be shown: it may repeat the request. */
export const Complaint = z.object({
  /** The HTTP status, or the number that a body with status 200 has in its place. */
  status: z.number().nullable(),
  message: z.string(),
  code: z.string(),
  type: z.string(),
  /** Which of the request's parameters it speaks of. */
  param: z.string(),
  /** Everything that it says, people's and machines', in lower case: what to look for signs in. */
  words: z.string(),
  /** The model's context in tokens, where it has a field of its own. */
  contextWindow: z.number().nullable(),
});
export type Complaint = z.infer<typeof Complaint>;

const MAX_CHARS = 4_000;

/** Where in an error its kind is said, besides code, type and param. */
const TELLING_FIELDS = ['status', 'reason', 'retryDelay', 'error_type', 'finish_reason'];

const WRAPPING_FIELDS = ['innererror', 'metadata', 'details', 'detail', 'raw', 'error', 'cause', 'errors'];

/** A complaint out of an error's body: JSON in any of the usual shapes, HTML or text. */
export function complaintOf(status: number | null, body: string): Complaint {
  return complaintIn(status, parsedJson(body) ?? textOf(body));
}

/** A complaint out of an error's parsed body, or out of the error object in a body that was to be an answer. */
export function complaintIn(status: number | null, body: unknown): Complaint {
  const error = errorIn(body);
  const fields = isRecord(error) ? error : {};
  const said = (typeof error === 'string' ? error : sentence(fields)).slice(0, MAX_CHARS);
  const code = word(fields['code']);
  return {
    status: status ?? statusIn(fields),
    message: said,
    code,
    type: word(fields['type']),
    param: word(fields['param']),
    words: `${said} ${signs(error, 0).join(' ')}`.slice(0, MAX_CHARS * 2).toLowerCase(),
    contextWindow: wholeNumber(fields['n_ctx']),
  };
}

/** The error object in a body that came with status 200, or null. */
export function errorBeside(body: Record<string, unknown>): unknown {
  const { error } = body;
  if (isRecord(error) ? Object.keys(error).length > 0 : typeof error === 'string' && error !== '')
    return body;
  if (body['object'] === 'error') return body;
  if (body['choices'] === undefined && (isText(body['detail']) || Array.isArray(body['detail']))) return body;
  return null;
}

function errorIn(body: unknown): unknown {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (!isRecord(first)) return first;
  if (isRecord(first['error']) || isText(first['error'])) return first['error'];
  if (Array.isArray(first['errors'])) return errorIn(first['errors']);
  return first;
}

function sentence(fields: Record<string, unknown>): string {
  for (const name of ['message', 'msg', 'detail', 'error', 'error_description', 'title']) {
    const value = fields[name];
    if (isText(value)) return value;
    // A web framework's list of what is wrong where; its `input` repeats the request and is left out.
    if (Array.isArray(value)) return value.map((item) => validationProblem(item)).join('; ');
    if (isRecord(value)) return sentence(value);
  }
  return '';
}

function validationProblem(item: unknown): string {
  if (!isRecord(item)) return isText(item) ? item : '';
  const place = Array.isArray(item['loc']) ? item['loc'].map((part) => word(part)).join('.') : '';
  return `${place}: ${word(item['msg'])}`;
}

/** Every word of an error that may tell its kind, but never what it was given as input. */
function signs(value: unknown, depth: number): string[] {
  if (depth > 4) return [];
  if (isText(value)) {
    const inner = depth > 0 ? parsedJson(value) : undefined;
    return isRecord(inner) ? signs(inner, depth + 1) : [value.slice(0, MAX_CHARS)];
  }
  if (Array.isArray(value)) return value.slice(0, 8).flatMap((item: unknown) => signs(item, depth + 1));
  if (!isRecord(value)) return [];
  const own = ['code', 'type', 'param', ...TELLING_FIELDS].map((name) => [name, word(value[name])] as const);
  return [
    ...own
      .filter(([, text]) => text !== '')
      .map(([name, text]) => (name === 'retryDelay' ? `retryDelay: ${text}` : text)),
    sentence(value).slice(0, MAX_CHARS),
    ...WRAPPING_FIELDS.flatMap((name) => (name in value ? signs(value[name], depth + 1) : [])),
  ];
}

function statusIn(fields: Record<string, unknown>): number | null {
  for (const name of ['status', 'code', 'status_code', 'http_code']) {
    const value = Number(fields[name]);
    if (Number.isInteger(value) && value >= 400 && value <= 599) return value;
  }
  return null;
}

function textOf(body: string): string {
  const text = body.trim();
  if (!/^<(?:!doctype|html|head|\?xml)/i.test(text)) return text.slice(0, MAX_CHARS);
  return /<title[^>]{0,200}>([^<]{0,200})/i.exec(text.slice(0, MAX_CHARS))?.[1]?.trim() ?? '';
}

function word(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 200) : typeof value === 'number' ? String(value) : '';
}

function wholeNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
