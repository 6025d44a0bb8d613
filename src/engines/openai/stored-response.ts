import { z } from 'zod';
import { RunId } from '../../core/contracts/run';
import { parsedJson } from '../../parsed-json';
import { SCHEMA_RUNGS, type ModelResponse } from './model-client';

/** A complete response as the cache keeps it, and the run that paid for it. */
const StoredResponseSchema = z.object({
  text: z.string(),
  finishReason: z.enum(['stop', 'length', 'content-filter', 'other']),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
  rung: z.enum(SCHEMA_RUNGS).nullable(),
  paidBy: RunId,
});
export type StoredResponse = ModelResponse & { paidBy: string };

/** Null for what another version kept in another form: it is of no use, and is asked for again. */
export function readStoredResponse(body: string): StoredResponse | null {
  return StoredResponseSchema.safeParse(parsedJson(body)).data ?? null;
}
