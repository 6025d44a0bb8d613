import { z } from 'zod';
import { parsedJson } from '../../core/values/parsed-json';
import type { ResponseCache } from '../../stores/response-cache';
import { SCHEMA_RUNGS, type WireMemory } from './port/model-client';

const Learned = z.object({
  /** The most tokens that it takes, and what was configured when that was found out; another setting is another window. */
  window: z.object({ tokens: z.number().positive(), configured: z.number() }).nullable().catch(null),
  /** How it is told of a schema. */
  rung: z.enum(SCHEMA_RUNGS).nullable().catch(null),
  /** What the client found out of how the model wants to be asked; the client reads it. */
  abilities: z.record(z.string(), z.unknown()).nullable().catch(null),
  /** By step, or `ANY_STEP`: a prompt of so many tokens failed for its size, and its parts did not. */
  tooLarge: z.record(z.string(), z.number().positive()).catch({}),
  /** The longest prompt that was answered whole: what hangs and is no longer hangs for another reason. */
  answered: z.number().nonnegative().catch(0),
  /** Steps whose answers ran on however little was asked. */
  runsOn: z.array(z.string()).catch([]),
});
export type LearnedOfModel = z.infer<typeof Learned>;

const NOTHING: LearnedOfModel = {
  window: null,
  rung: null,
  abilities: null,
  tooLarge: {},
  answered: 0,
  runsOn: [],
};

/** What failed for want of time fails in every step. */
export const ANY_STEP = '*';

/**
 * What was found out about an endpoint's models: kept for as long as their answers, so that no run and no process finds it
 * out anew. Harmless when lost: it is learned again. It never decides over a question that was answered already.
 */
export interface ModelMemory {
  /** Reads what is kept of a model, once; to be awaited before a model is asked. */
  recall(model: string): Promise<void>;
  of(model: string): LearnedOfModel;
  /** Notes a change, and keeps it. */
  learn(model: string, change: Partial<LearnedOfModel>): void;
  /** The same for what a client learns of requests. */
  wire: WireMemory;
}

/** Holds the record in the cache, as a run holds its responses. */
const HOLDER = 'learned-of-models';

export function createModelMemory(settings: {
  cache: Pick<ResponseCache, 'get' | 'put'>;
  /** Without a name, a password or a query. */
  endpoint: string;
  ttlMs: number;
}): ModelMemory {
  const { cache, endpoint, ttlMs } = settings;
  const learned = new Map<string, LearnedOfModel>();
  const recalled = new Map<string, Promise<void>>();
  let keeping: Promise<unknown> = Promise.resolve();
  const keyOf = (model: string): string => JSON.stringify({ learnedOf: model, endpoint });

  const read = async (model: string): Promise<void> => {
    // A record that cannot be read is learned again.
    const found = await cache.get(HOLDER, keyOf(model)).catch(() => null);
    const known = found === null ? undefined : Learned.safeParse(parsedJson(found.body)).data;
    if (known !== undefined && !learned.has(model)) learned.set(model, known);
  };
  const memory: ModelMemory = {
    async recall(model) {
      const reading = recalled.get(model) ?? read(model);
      recalled.set(model, reading);
      await reading;
    },
    of: (model) => learned.get(model) ?? NOTHING,
    learn(model, change) {
      const before = memory.of(model);
      const after = { ...before, ...change };
      if (JSON.stringify(after) === JSON.stringify(before)) return;
      learned.set(model, after);
      // One after the other, so that the last one stands; what cannot be kept holds for this process.
      keeping = keeping
        .then(() => cache.put(HOLDER, keyOf(model), JSON.stringify(memory.of(model)), { ttlMs }))
        .catch(() => undefined);
    },
    wire: {
      get: (model) => memory.of(model).abilities,
      set: (model, abilities) => memory.learn(model, { abilities }),
    },
  };
  return memory;
}
