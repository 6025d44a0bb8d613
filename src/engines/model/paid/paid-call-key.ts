import { createHash } from 'node:crypto';
import type { ModelRequest, SchemaRung } from '../port/model-client';

/**
 * What makes two calls the same call: everything that affects the answer, and which answer is wanted. How long the answer may
 * be is not in it: that changes as a model's window is learned, and an answer that ended before is the same answer.
 */
export interface PaidCall {
  /** Without a name, a password or a query. */
  endpoint: string;
  request: ModelRequest;
  rung: SchemaRung | null;
  /** Another turn is another answer to the same question, asked for on purpose. */
  turn: number;
  revision: number;
}

/** The endpoint as keys have it: without a name, a password or a query, in which secrets are written. */
export function paidEndpoint(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** The SHA-256 of the call's canonical JSON: the order of keys makes no difference. */
export function paidCallKey({ endpoint, request, rung, turn, revision }: PaidCall): string {
  const { model, messages, maxOutputTokens: _limit, ...parameters } = request;
  return createHash('sha256')
    .update(canonicalJson({ endpoint, model, messages, parameters, rung, turn, revision }))
    .digest('hex');
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
