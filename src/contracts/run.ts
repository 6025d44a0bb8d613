import { z } from 'zod';
import { engineNames, REPORT_PASSES } from './pipeline';
import { ArtifactRef } from './source';

/** Results of a report's passes so far; for the deep dive, one per finished section. */
const ReportPassRefs = z.object({
  gather: ArtifactRef.optional(),
  overview: ArtifactRef.optional(),
  'deep-dive': z.array(ArtifactRef).optional(),
  'cross-reference': ArtifactRef.optional(),
});

const BriefPassRefs = z.object({
  material: ArtifactRef.optional(),
  plan: ArtifactRef.optional(),
  versions: z.array(ArtifactRef).optional(),
});

const AnswerPassRefs = z.object({ answer: ArtifactRef.optional() });

export const RunKind = z.enum(['report', 'brief', 'answer']);
export type RunKind = z.infer<typeof RunKind>;

export const PassName = z.enum([...REPORT_PASSES, 'answer', 'plan', 'write', 'judge']);
export type PassName = z.infer<typeof PassName>;

export const PassRefs = z.object({
  ...ReportPassRefs.shape,
  ...AnswerPassRefs.shape,
  ...BriefPassRefs.shape,
});
export type PassRefs = z.infer<typeof PassRefs>;

/** 7 days, because each retry adds events to the history. */
export const MAX_PATIENCE_MS = 604_800_000;

/** Handling of an unavailable endpoint, store or worker. */
export const OutageSettings = z.object({
  /** How long the run retries; 0 for no retry. */
  patienceMs: z.int().min(0).max(MAX_PATIENCE_MS),
  /** Then the run is parked until somebody resumes it, or it fails. */
  afterwards: z.enum(['park', 'fail']),
  /** Default 15,000. Wait before the first retry; it doubles up to 5 min. */
  firstWaitMs: z.int().positive().optional(),
  /** Default 60,000. How long a step waits for a worker before the run reports it. */
  queueMs: z.int().positive().optional(),
  /** Default 10,000. Heartbeat timeout of activities. */
  heartbeatMs: z.int().min(1_000).optional(),
  /**
   * Default false. True waits for the announced end of an endpoint's limit even beyond `patienceMs`. For runs
   * without a waiting caller.
   */
  outlastsLimits: z.boolean().optional(),
  /** Default 6. Attempts of an activity, over about 1 min, before the run reports that it waits. */
  attempts: z.int().positive().max(1_000_000).optional(),
});
export type OutageSettings = z.infer<typeof OutageSettings>;

/** The run retries by itself. Times are ISO 8601. */
export const Waiting = z.object({
  /** Such as `the model endpoint`; with `until`, the model and its endpoint: `gpt-5 at api.example.com`. */
  what: z.string(),
  reason: z.string(),
  since: z.string(),
  /** Time of the next retry; during a retry, its start. */
  nextTry: z.string(),
  /** End of the endpoint's limit, if it is announced. */
  until: z.string().optional(),
});
export type Waiting = z.infer<typeof Waiting>;

/** The endpoint accepts no more requests for a model until an announced time. A failed activity has it in its details. */
export interface EndpointLimit {
  /** ISO 8601. */
  until: string;
  /** Such as `gpt-5 at api.example.com`. */
  askedOf: string;
  /** The endpoint's message; may be empty. */
  says: string;
}

/** Why a run has paused itself; `resume` retries at once. */
export const Parked = z.object({ reason: z.string(), since: z.string() });
export type Parked = z.infer<typeof Parked>;

export const RunStatus = z.enum([
  'queued',
  'running',
  'waiting',
  'pausing',
  'paused',
  'awaiting-approval',
  'cancelling',
  'completed',
  'partial',
  'cancelled',
  'failed',
]);
export type RunStatus = z.infer<typeof RunStatus>;

/** The workflow id, in any form that Temporal accepts. */
export const RunId = z
  .string()
  .min(1, 'an id has at least one character')
  .max(1_000, 'an id has at most 1,000 characters');
export type RunId = z.infer<typeof RunId>;

export const EngineName = z.enum(engineNames);
export type EngineName = z.infer<typeof EngineName>;

/** Result of the workflow. The report itself is in the content store. */
export const RunOutcome = z.object({
  runId: RunId,
  status: RunStatus,
  reportRef: ArtifactRef,
  markdownRef: ArtifactRef,
});
export type RunOutcome = z.infer<typeof RunOutcome>;

/** Why a model's step is missing or incomplete. */
export const FallbackReason = z.enum([
  'empty',
  'thinking',
  'not-json',
  'off-schema',
  'uncited',
  'unsupported',
  'nothing-found',
  'cut-off',
  'repeated',
  'filtered',
  'too-long',
  'too-slow',
  'unreadable',
  'refused',
  'budget',
]);
export type FallbackReason = z.infer<typeof FallbackReason>;

export const Warning = z.object({
  code: z.string(),
  message: z.string(),
  /** Set if quotes, an unrepaired text or a part replace a model's result; `message` gives the reason. */
  fallback: z
    .object({
      step: z.string(),
      reason: FallbackReason,
      /** Sources that the endpoint's content filter refused. */
      sourceIds: z.array(z.string()),
    })
    .optional(),
});
export type Warning = z.infer<typeof Warning>;

export const Usage = z.object({
  calls: z.int().nonnegative(),
  cachedCalls: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  costUsd: z.number().nonnegative(),
});
export type Usage = z.infer<typeof Usage>;

/**
 * Result of the `progress` query. Times are ISO 8601. `section.index` is the number of finished sections out of `of`; `id` is a
 * section in progress or the last finished one, because sections run in parallel. The query leaves `title` empty, and the client
 * adds it from the event log.
 */
export const Progress = z.object({
  runId: RunId,
  kind: RunKind,

  status: RunStatus,
  pass: z.object({ number: z.int(), of: z.int(), name: PassName, message: z.string() }),
  section: z.object({ index: z.int(), of: z.int(), id: z.string().optional(), title: z.string() }).nullable(),
  /** Gathering only: sources read so far, of all. */
  sources: z.object({ read: z.int().nonnegative(), of: z.int().nonnegative() }).optional(),
  percent: z.number().min(0).max(100),
  /** Set if the status is `waiting`; a limit with a known end is also set during other work. */
  waiting: Waiting.nullable(),
  /** Set if the run has paused itself. */
  parked: Parked.nullable(),
  /** Start of the pause, or of the wait for approval, if known. */
  stillSince: z.string().optional(),
  usage: Usage,
  warnings: z.array(Warning),
  startedAt: z.string(),
  updatedAt: z.string(),
});
export type Progress = z.infer<typeof Progress>;

/** Chosen by the sender. Messages with the same id are one message, across restarts and continue-as-new. */
export const MessageId = z
  .string()
  .min(1)
  .max(100)
  .describe('a text of 1 to 100 characters, which no other message to the run has');
export type MessageId = z.infer<typeof MessageId>;

/** Replaces the outline of pass 1. `outlineRef` is a stored `GivenOutline`. */
export const SetOutline = z.object({ id: MessageId, outlineRef: ArtifactRef });
export type SetOutline = z.infer<typeof SetOutline>;

/** For `approveOutline`, `pause`, `resume`. */
export const PlainMessage = z.object({ id: MessageId });
export type PlainMessage = z.infer<typeof PlainMessage>;

export const AddSources = z.object({
  id: MessageId,
  manifestRef: ArtifactRef,
  sourceCount: z.int().positive(),
  /** Characters of all contents; absent if unknown. */
  sourceChars: z.int().nonnegative().optional(),
});
export type AddSources = z.infer<typeof AddSources>;

/** Also the names of the updates. */
export const MessageName = z.enum(['setOutline', 'approveOutline', 'addSources', 'pause', 'resume']);
export type MessageName = z.infer<typeof MessageName>;

/** `said` is a sentence for people. `added` and `known` are the numbers of new and already known sources. */
export const MessageResult = z.object({
  id: z.string(),
  said: z.string(),
  added: z.int().nonnegative().optional(),
  known: z.int().nonnegative().optional(),
});
export type MessageResult = z.infer<typeof MessageResult>;

/** 100 years; the server shortens longer timers. */
const MAX_APPROVAL_MS = 3_155_760_000_000;

/** How long a report waits for the approval of its outline; then it continues with the current one. */
export const ApprovalSettings = z.object({ timeoutMs: z.int().positive().max(MAX_APPROVAL_MS) });
export type ApprovalSettings = z.infer<typeof ApprovalSettings>;

/** Result of the `steering` query. */
export const SteeringAnswer = z.object({
  /** Number of messages applied since the run began. */
  applied: z.partialRecord(MessageName, z.int().nonnegative()),
  /** Set during the wait for approval. `leftMs` is the remaining run time at its start or its last pause. */
  approval: z.object({ leftMs: z.number() }).nullable(),
  /** Number of added source lists that wait for the end of the current work. */
  sourcesWaiting: z.int().nonnegative(),
});
export type SteeringAnswer = z.infer<typeof SteeringAnswer>;

/** `from` is 0, or `next` of the previous part. */
export const ContentStart = z.object({ ref: ArtifactRef, from: z.int().nonnegative().optional() });
export type ContentStart = z.infer<typeof ContentStart>;

/** As much text as a payload allows; `next` is null at the end. */
export const ContentPart = z.object({ text: z.string(), next: z.int().nullable() });
export type ContentPart = z.infer<typeof ContentPart>;

/** For ids that people choose. Runs started by others may have any id that the server accepts. */
export const ChosenRunId = z
  .string()
  .regex(
    /^(?!\s)[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,255}(?<!\s)$/u,
    'an id has 1–255 characters, none of them a control or invisible one, and no white space at its ends',
  );

/** Each scope includes those before it. */
export const SCOPES = ['read', 'run', 'admin'] as const;
export const Scope = z.enum(SCOPES);
export type Scope = z.infer<typeof Scope>;

export const Owner = z
  .string()
  .regex(
    /^[\p{L}\p{N}](?:[\p{L}\p{N}._@ -]{0,98}[\p{L}\p{N}])?$/u,
    'an owner has 1–100 letters, digits, ". _ @ -" and spaces within',
  );
export type Owner = z.infer<typeof Owner>;

/** The token itself is known only to its holder. */
export const StoredToken = z.object({
  id: z.string(),
  owner: Owner,
  scope: Scope,
  /** SHA-256 of the token, in hex. */
  hash: z.string(),
  /** ISO 8601. */
  madeAt: z.string(),
  /** ISO 8601; null without an expiry. */
  expiresAt: z.string().nullable(),
});
export type StoredToken = z.infer<typeof StoredToken>;

/** Result of the `usage` query. */
export const RunUsage = z.object({ total: Usage, byPass: z.partialRecord(PassName, Usage) });
export type RunUsage = z.infer<typeof RunUsage>;

/** Result of the `outline` query, in short. `ref` is the whole outline in the content store. */
export const OutlineAnswer = z.object({
  ref: ArtifactRef,
  sections: z.array(z.object({ id: z.string(), sources: z.int() })),
});
export type OutlineAnswer = z.infer<typeof OutlineAnswer>;

/** The workflow's memo, which can be read while no worker answers queries. */
export const RunMemo = z.object({
  question: z.string(),
  /** ISO 8601; the start of the first execution if the run continued as new. */
  startedAt: z.string(),
  status: RunStatus,
  pass: z.object({ number: z.int(), of: z.int(), name: PassName, message: z.string() }),
  passRefs: PassRefs,
  usage: RunUsage,
  /** As last reported; only the run knows its next retry. */
  waiting: Waiting.nullable().optional(),
  parked: Parked.nullable().optional(),

  schedule: z.string().optional(),
  /** Set for runs started over HTTP. */
  owner: Owner.optional(),
});
export type RunMemo = z.infer<typeof RunMemo>;
