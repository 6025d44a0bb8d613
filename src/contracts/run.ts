import { z } from 'zod';
import { engineNames, REPORT_PASSES } from './pipeline';
import { ArtifactRef } from './source';

/** The references of what each pass of a report left, as far as the run is; of the deep dive one for each section that is done. */
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

/** A run's id is its workflow id, whoever chose it: anything that the server takes for one. */
export const RunId = z
  .string()
  .min(1, 'an id has at least one character')
  .max(1_000, 'an id has at most 1,000 characters');
export type RunId = z.infer<typeof RunId>;

export const EngineName = z.enum(engineNames);
export type EngineName = z.infer<typeof EngineName>;

/** What the workflow returns; the report itself lies in the content store. */
export const RunOutcome = z.object({
  runId: RunId,
  status: RunStatus,
  reportRef: ArtifactRef,
  markdownRef: ArtifactRef,
});
export type RunOutcome = z.infer<typeof RunOutcome>;

/** Why a step of a model was not done, or not whole. */
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
  /** Set where something else stands for what a model was asked for: quotes, an unmended text, or a part. The message says why. */
  fallback: z
    .object({
      step: z.string(),
      reason: FallbackReason,
      /** The sources that the endpoint's content filter refused. */
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
 * The answer to the `progress` query. Times are ISO 8601. `section.index` is how many of the `of` sections the pass is done
 * with, and `id` that of one under way, or of the last one done: sections go on at the same time. Its `title` lies in the
 * store; the client adds it, and the query itself answers without it.
 */
export const Progress = z.object({
  runId: RunId,
  kind: RunKind,

  status: RunStatus,
  pass: z.object({ number: z.int(), of: z.int(), name: PassName, message: z.string() }),
  section: z.object({ index: z.int(), of: z.int(), id: z.string().optional(), title: z.string() }).nullable(),
  /** Of the pass that gathers: how many sources are read, of all that there are. */
  sources: z.object({ read: z.int().nonnegative(), of: z.int().nonnegative() }).optional(),
  percent: z.number().min(0).max(100),
  /** Set where the status is `waiting`; a limit whose end is known also beside other work. */
  waiting: Waiting.nullable(),
  /** Set where the run is paused by itself. */
  parked: Parked.nullable(),
  /** Where it is paused, or waits for approval: since when, as far as that is known. */
  stillSince: z.string().optional(),
  usage: Usage,
  warnings: z.array(Warning),
  startedAt: z.string(),
  updatedAt: z.string(),
});
export type Progress = z.infer<typeof Progress>;

/** The sender's own name of a message: the same id twice is one message, over restarts and over continue-as-new. */
export const MessageId = z
  .string()
  .min(1)
  .max(100)
  .describe('a text of 1 to 100 characters, which no other message to the run has');
export type MessageId = z.infer<typeof MessageId>;

/** Replaces the outline of pass 1 by one that lies in the content store (`GivenOutline`). */
export const SetOutline = z.object({ id: MessageId, outlineRef: ArtifactRef });
export type SetOutline = z.infer<typeof SetOutline>;

/** What says all by its name: `approveOutline`, `pause`, `resume`. */
export const PlainMessage = z.object({ id: MessageId });
export type PlainMessage = z.infer<typeof PlainMessage>;

export const AddSources = z.object({
  id: MessageId,
  manifestRef: ArtifactRef,
  sourceCount: z.int().positive(),
  /** How many characters their contents have together; absent where it is not known. */
  sourceChars: z.int().nonnegative().optional(),
});
export type AddSources = z.infer<typeof AddSources>;

/** The names of the messages, which are those of the updates. */
export const MessageName = z.enum(['setOutline', 'approveOutline', 'addSources', 'pause', 'resume']);
export type MessageName = z.infer<typeof MessageName>;

/** What became of a message, as a sentence for people; of sources how many are new, and how many were there already. */
export const MessageResult = z.object({
  id: z.string(),
  said: z.string(),
  added: z.int().nonnegative().optional(),
  known: z.int().nonnegative().optional(),
});
export type MessageResult = z.infer<typeof MessageResult>;

/** A hundred years: of longer timers the server makes short ones. */
const LONGEST_APPROVAL_MS = 3_155_760_000_000;

/** How long a report waits for the approval of its outline; then it goes on with the one it has. */
export const ApprovalSettings = z.object({ timeoutMs: z.int().positive().max(LONGEST_APPROVAL_MS) });
export type ApprovalSettings = z.infer<typeof ApprovalSettings>;

/** The answer to the query `steering`. */
export const SteeringAnswer = z.object({
  /** How many messages were applied since the run began, each once. */
  applied: z.partialRecord(MessageName, z.int().nonnegative()),
  /** Set while the run waits for the approval of its outline; run time left, in milliseconds, when that began or was paused last. */
  approval: z.object({ leftMs: z.number() }).nullable(),
  /** How many lists of added sources are waiting for the end of what goes on. */
  sourcesWaiting: z.int().nonnegative(),
});
export type SteeringAnswer = z.infer<typeof SteeringAnswer>;

/** Which stored text is asked for, and from where on: 0, or the `next` of the part before. */
export const ContentStart = z.object({ ref: ArtifactRef, from: z.int().nonnegative().optional() });
export type ContentStart = z.infer<typeof ContentStart>;

/** A text as far as a payload may take it; `next` is null where it ends here. */
export const ContentPart = z.object({ text: z.string(), next: z.int().nullable() });
export type ContentPart = z.infer<typeof ContentPart>;

/** What a person may call a new run. Runs that others start have the ids that the server let them have. */
export const ChosenRunId = z
  .string()
  .regex(
    /^(?!\s)[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,255}(?<!\s)$/u,
    'an id has 1–255 characters, none of them a control or invisible one, and no white space at its ends',
  );

/** What a token lets its holder do; each lets them do what stands before it as well. */
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

/** A token as it is kept: what it is made of is known to its holder alone. */
export const KeptToken = z.object({
  id: z.string(),
  owner: Owner,
  scope: Scope,
  /** SHA-256 of the token, in hex. */
  hash: z.string(),
  /** ISO 8601. */
  madeAt: z.string(),
  /** From when on it is no token any more; ISO 8601. */
  expiresAt: z.string().nullable(),
});
export type KeptToken = z.infer<typeof KeptToken>;

/** The answer to the `usage` query. */
export const RunUsage = z.object({ total: Usage, byPass: z.partialRecord(PassName, Usage) });
export type RunUsage = z.infer<typeof RunUsage>;

/** The answer to the `outline` query: the outline in short; the whole of it lies in the content store under `ref`. */
export const OutlineAnswer = z.object({
  ref: ArtifactRef,
  sections: z.array(z.object({ id: z.string(), sources: z.int() })),
});
export type OutlineAnswer = z.infer<typeof OutlineAnswer>;

/** What a run's memo says of it, so that it can be read while no worker answers queries. */
export const RunMemo = z.object({
  question: z.string(),
  /** ISO 8601; the start of the first history, where the run went on in further ones. */
  startedAt: z.string(),
  status: RunStatus,
  pass: z.object({ number: z.int(), of: z.int(), name: PassName, message: z.string() }),
  passRefs: PassRefs,
  usage: RunUsage,
  /** As it was told last; the run itself knows when it tries next. */
  waiting: Waiting.nullable().optional(),
  parked: Parked.nullable().optional(),

  schedule: z.string().optional(),
  /** Whose it is, where it was started over HTTP. */
  owner: Owner.optional(),
});
export type RunMemo = z.infer<typeof RunMemo>;
