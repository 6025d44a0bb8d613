import { z } from 'zod';
import { VerdictCounts } from './finding';
import { JudgedBy, JudgeScores } from './judgement';
import { Relevance } from './outline';
import { EngineName, MessageName, PassName, RunKind, RunStatus, Warning } from './run';
import { PreviousRun } from './run-input';
import { ArtifactRef } from './source';

// Fields of later versions are optional, so that logs of older ones parse.
const payloads = {
  'run-started': z.object({ kind: RunKind, question: z.string(), engine: EngineName, sources: z.int() }),
  'multi-pass-phase': z.object({ pass: z.int(), name: PassName, message: z.string() }),
  'outline-generated': z.object({
    overallTheme: z.string(),
    sections: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        sources: z.int(),
        /** Reports only: the best sources. `url` is null for a source without a URL that can be cited. */
        relevantSources: z
          .array(z.object({ sourceId: z.string(), url: z.string().nullable(), relevanceScore: Relevance }))
          .optional(),
      }),
    ),
  }),
  'deep-dive-section': z.object({
    sectionId: z.string(),
    title: z.string(),
    /** Equal to `title`, under document 002's name. */
    sectionName: z.string().optional(),
    sourcesUsed: z.int(),
    findings: z.int(),
  }),
  /** `claim` is the statement of the first side, which the others contradict. `sources` are those of all sides. */
  'conflict-detected': z.object({
    topic: z.string(),
    claim: z.string().optional(),
    sources: z.array(z.string()),
  }),
  'citation-stats': z.object({ total: z.int(), coverage: z.number() }),
  /** `offset` is in UTF-16 units from the start of the section's text of that generation. */
  'content-chunk': z.object({ section: z.string(), generation: z.int(), offset: z.int(), text: z.string() }),
  'section-restarted': z.object({ section: z.string(), generation: z.int() }),
  /** `change` is a repaired sentence without marks; `after` is null for a deleted one. */
  revision: z.object({
    section: z.string(),
    revision: z.int().positive(),
    reason: z.string(),
    change: z.object({ before: z.string(), after: z.string().nullable() }).optional(),
  }),
  /** Verdicts on the claims of a section or of `summary` as first written; `setAside` is the number of rejected ones. */
  audit: z.object({
    section: z.string(),
    revision: z.int().nonnegative(),
    audit: VerdictCounts,
    needsRetry: z.boolean(),
    setAside: z.int().nonnegative(),
  }),
  /** `revised` are the parts that were rewritten for this version. */
  judge: z.object({
    version: z.int().positive(),
    by: JudgedBy,
    scores: JudgeScores,
    overall: z.number(),
    passed: z.boolean(),
    revised: z.array(z.string()),
  }),
  /** The text of this generation is complete; `chars` is its length in UTF-16 units. */
  'section-written': z.object({ section: z.string(), generation: z.int(), chars: z.int().nonnegative() }),
  /** An answer combines several documents. The event has document 003's name; `passages` is the number of their passages. */
  synthesis_mode_activated: z.object({ source_doc_count: z.int().positive(), passages: z.int().positive() }),
  /** The name of `synthesis_mode_activated` up to 0.6.0, for stored logs. */
  'synthesis-mode': z.object({ documents: z.int().positive(), passages: z.int().positive() }),
  attempt: z.object({
    attempt: z.int().positive(),
    decision: z.enum(['end', 'rewrite', 'broaden']),
    reason: z.string(),
  }),
  /** In a schedule's log, which never closes: a run that ended with a result. */
  'scheduled-run': PreviousRun,
  warning: Warning,
  /** The run waits for an unavailable service and retries by itself. */
  'run-waiting': z.object({ what: z.string(), reason: z.string(), until: z.string().optional() }),
  'run-parked': z.object({ reason: z.string() }),
  'run-goes-on': z.object({}),
  steered: z.object({ message: MessageName, id: z.string(), said: z.string() }),
  /** The run waits up to `timeoutMs` for the approval of its outline, pauses not counted. */
  'approval-awaited': z.object({ timeoutMs: z.int() }),
  'approval-over': z.object({ by: z.enum(['approval', 'timeout']) }),
  'run-completed': z.object({ status: RunStatus, reportRef: ArtifactRef, markdownRef: ArtifactRef }),
  'run-failed': z.object({ message: z.string() }),
} as const;

export type RunEventType = keyof typeof payloads;
export const RUN_EVENT_TYPES = Object.keys(payloads) as readonly RunEventType[];

export type RunEventBody = {
  [Type in RunEventType]: { type: Type; payload: z.infer<(typeof payloads)[Type]> };
}[RunEventType];

const bodies = Object.entries(payloads).map(([type, payload]) =>
  z.object({ type: z.literal(type), payload }),
);

/** The error message of a failed parse names the field. */
// First cast: there is at least one payload. Second cast: `Object.entries` loses which type has which payload.
export const RunEventBody = z.discriminatedUnion(
  'type',
  bodies as [(typeof bodies)[number], ...typeof bodies],
) as unknown as z.ZodType<RunEventBody>;

/** A stored event. Numbers start at 1 without gaps; `at` is ISO 8601. */
export type RunEvent = RunEventBody & { runId: string; number: number; key: string; at: string };
