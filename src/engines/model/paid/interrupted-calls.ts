import { z } from 'zod';
import { parsedJson } from '../../../core/values/parsed-json';
import type { ResponseCache } from '../../../stores/response-cache';
import { withoutThinking } from '../port/thinking';
import { INTERRUPTIONS, type ModelRequest, type ModelResponse, type SchemaRung } from '../port/model-client';
import { ModelFailure } from '../port/model-failure';
import { completeItems } from '../json/salvage-items';

const Note = z.object({ times: z.int().positive(), by: z.enum(INTERRUPTIONS), text: z.string() });
type Note = z.infer<typeof Note>;

/** A request that was broken off so often is not asked again as it is. */
const LIMIT = 2;

/** What becomes of requests that were broken off: tried once more, taken for what there is of their answer, or given up for their size. */
export interface InterruptedCalls {
  /** Throws where the request has had its tries, so that no retry asks it as it is. */
  refuseHopeless(runId: string, key: string): Promise<void>;
  /**
   * An answer that ends where it was broken off. Throws the failure where the request may be tried again, and one that is
   * `ModelFailure.isTooSlow` where it is to be smaller.
   */
  salvage(asked: InterruptedCall, failure: ModelFailure): Promise<ModelResponse>;
}

interface InterruptedCall {
  runId: string;
  key: string;
  request: ModelRequest;
  rung: SchemaRung | null;
}

export function createInterruptedCalls(
  cache: Pick<ResponseCache, 'get' | 'put'>,
  ttlMs: number,
): InterruptedCalls {
  const keyOf = (key: string): string => `interrupted ${key}`;
  const noteOf = async (runId: string, key: string): Promise<Note | null> => {
    const found = await cache.get(runId, keyOf(key));
    return found === null ? null : (Note.safeParse(parsedJson(found.body)).data ?? null);
  };
  return {
    async refuseHopeless(runId, key) {
      const note = await noteOf(runId, key);
      if (note !== null && note.times >= LIMIT && isTimeOut(note)) throw tooSlow();
    },
    async salvage({ runId, key, request, rung }, failure) {
      // A gateway that gave up waiting has nothing of the answer.
      const broken =
        failure.interrupted ?? (failure.kind === 'timeout' ? { by: 'silence' as const, text: '' } : null);
      if (broken === null || !failure.retryable) throw failure;
      const { by, text } = broken;
      const before = await noteOf(runId, key);
      const longest = text.length > (before?.text.length ?? 0) ? text : (before?.text ?? '');
      // Whoever hears a text while it comes has heard this one.
      const kept = request.schema === undefined && text !== '' ? text : longest;
      const note: Note = { times: (before?.times ?? 0) + 1, by, text: kept };
      // What came all the time and was not done in time would take as long again; what fell silent may not.
      const isLast = by === 'time' || note.times >= LIMIT;
      if (isLast && hasWholePart(note.text, request)) {
        return { text: note.text, finishReason: 'length', interrupted: by, usage: null, rung };
      }
      await cache.put(runId, keyOf(key), JSON.stringify(note), { ttlMs });
      throw note.times >= LIMIT && isTimeOut(note) ? tooSlow() : failure;
    },
  };
}

function isTimeOut({ by }: Note): boolean {
  return by === 'time' || by === 'silence';
}

function tooSlow(): ModelFailure {
  return new ModelFailure('timeout', 'A request was not answered in its time, twice; it has to be smaller.', {
    retryable: false,
  });
}

function hasWholePart(text: string, { schema }: ModelRequest): boolean {
  return schema === undefined ? /[.!?]\s|\n\n/.test(withoutThinking(text)) : completeItems(text) !== null;
}
