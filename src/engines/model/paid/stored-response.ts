import { z } from 'zod';
import { RunId } from '../../../contracts/run/run';
import { parsedJson } from '../../../core/values/parsed-json';
import { INTERRUPTIONS, SCHEMA_RUNGS } from '../port/model-client';

/** A complete response as the cache keeps it, and the run that paid for it. */
const StoredResponseSchema = z.object({
  text: z.string(),
  finishReason: z.enum(['stop', 'length', 'content-filter', 'other']),
  interrupted: z.enum(INTERRUPTIONS).optional(),
  /** How long it was allowed to be; absent where it did not end for that. */
  maxOutputTokens: z.number().optional(),
  usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).nullable(),
  rung: z.enum(SCHEMA_RUNGS).nullable(),
  paidBy: RunId,
});
export type StoredResponse = z.infer<typeof StoredResponseSchema>;

/** Null for what another version kept in another form: it is of no use, and is asked for again. */
export function readStoredResponse(body: string): StoredResponse | null {
  return StoredResponseSchema.safeParse(parsedJson(body)).data ?? null;
}
