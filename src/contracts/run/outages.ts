import { z } from 'zod';

/** The longest that a run may be told to wait: each try costs its history some events. */
export const MAX_PATIENCE_MS = 604_800_000;

/** What a run does where an endpoint, a store or a worker is away. */
export const OutageSettings = z.object({
  /** How long it tries on by itself; 0: not at all. */
  patienceMs: z.int().min(0).max(MAX_PATIENCE_MS),
  /** Then it is parked until somebody resumes it, or it fails. */
  afterwards: z.enum(['park', 'fail']),
  /** Default 15,000. The wait before the first try anew; each further one is twice as long, up to five minutes. */
  firstWaitMs: z.int().positive().optional(),
  /** Default 60,000. How long a step may wait for a worker before the run says so. */
  queueMs: z.int().positive().optional(),
  /** Default 10,000. After so long without a word of it an activity is handed to another worker. */
  heartbeatMs: z.int().min(1_000).optional(),
  /**
   * Default false. A limit whose end the endpoint names is waited for to its end, beyond any patience: the caller does not
   * wait with the run.
   */
  outlastsLimits: z.boolean().optional(),
  /** Default 6. How often an activity is tried, over about a minute, before the run says that it waits. */
  attempts: z.int().positive().max(1_000_000).optional(),
});
export type OutageSettings = z.infer<typeof OutageSettings>;

/** What a run waits for, and tries again by itself. Times are ISO 8601. */
export const Waiting = z.object({
  /** Such as `the model endpoint`; where `until` is there, the model and its endpoint: `gpt-5 at api.example.com`. */
  what: z.string(),
  reason: z.string(),
  since: z.string(),
  /** While it is being tried, when that began. */
  nextTry: z.string(),
  /** Until when the endpoint takes no more requests, where it says so. */
  until: z.string().optional(),
});
export type Waiting = z.infer<typeof Waiting>;

/** An endpoint takes no more requests for a model until a time that it names. A failed activity has it in its details. */
export interface EndpointLimit {
  /** ISO 8601. */
  until: string;
  /** Such as `gpt-5 at api.example.com`. */
  askedOf: string;
  /** The endpoint's own words; empty where it has none. */
  says: string;
}

/** Why a run is paused that nobody paused; `resume` tries at once. */
export const Parked = z.object({ reason: z.string(), since: z.string() });
export type Parked = z.infer<typeof Parked>;
