import { z } from 'zod';
import { VerdictCounts } from './finding';
import { JudgedBy, JudgeScores } from './judgement';
import { Relevance } from './outline';
import { EngineName, MessageName, PassName, RunKind, RunStatus, Warning } from './run';
import { RunBefore } from './run-input';
import { ArtifactRef } from './source';

// What later versions added is optional: logs of older ones are read as well.
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
        /** Of a report, the best of them; `url` is null for a source without an address that can be cited. */
        relevantSources: z
          .array(z.object({ sourceId: z.string(), url: z.string().nullable(), relevanceScore: Relevance }))
          .optional(),
      }),
    ),
  }),
  'deep-dive-section': z.object({
    sectionId: z.string(),
    title: z.string(),
    /** The same as `title`, by document 002's name. */
    sectionName: z.string().optional(),
    sourcesUsed: z.int(),
    findings: z.int(),
  }),
  /** `claim` is what the first side states, which the others contradict; `sources` are those of all sides. */
  'conflict-detected': z.object({
    topic: z.string(),
    claim: z.string().optional(),
    sources: z.array(z.string()),
  }),
  'citation-stats': z.object({ total: z.int(), coverage: z.number() }),
  /** `offset` counts UTF-16 units from the start of the section's text of that generation. */
  'content-chunk': z.object({ section: z.string(), generation: z.int(), offset: z.int(), text: z.string() }),
  'section-restarted': z.object({ section: z.string(), generation: z.int() }),
  /** `change` is a sentence that was mended, without marks; `after` is null for one that was deleted. */
  revision: z.object({
    section: z.string(),
    revision: z.int().positive(),
    reason: z.string(),
    change: z.object({ before: z.string(), after: z.string().nullable() }).optional(),
  }),
  /** The claims of a section's text, or of the `summary`, as they were written, and how many of them were set aside. */
  audit: z.object({
    section: z.string(),
    revision: z.int().nonnegative(),
    audit: VerdictCounts,
    needsRetry: z.boolean(),
    setAside: z.int().nonnegative(),
  }),
  /** A version of the text was judged; `revised` are the parts that were written anew for it. */
  judge: z.object({
    version: z.int().positive(),
    by: JudgedBy,
    scores: JudgeScores,
    overall: z.number(),
    passed: z.boolean(),
    revised: z.array(z.string()),
  }),
  /** The section's text of that generation is all there; `chars` is its length in UTF-16 units. */
  'section-written': z.object({ section: z.string(), generation: z.int(), chars: z.int().nonnegative() }),
  /** An answer brings several documents together: document 003's event by its own name, with how many passages they have. */
  synthesis_mode_activated: z.object({ source_doc_count: z.int().positive(), passages: z.int().positive() }),
  /** What it was called up to 0.6.0, in logs that were kept. */
  'synthesis-mode': z.object({ documents: z.int().positive(), passages: z.int().positive() }),
  attempt: z.object({
    attempt: z.int().positive(),
    decision: z.enum(['end', 'rewrite', 'broaden']),
    reason: z.string(),
  }),
  /** Of a schedule's log, which is never closed: a run of it that ended with a result. */
  'scheduled-run': RunBefore,
  warning: Warning,
  /** The run waits for what is away, and tries on by itself. */
  'run-waiting': z.object({ what: z.string(), reason: z.string(), until: z.string().optional() }),
  /** The run is paused until somebody resumes it. */
  'run-parked': z.object({ reason: z.string() }),
  'run-goes-on': z.object({}),
  steered: z.object({ message: MessageName, id: z.string(), said: z.string() }),
  /** The outline stands, and the run waits so long for its approval, pauses not counted. */
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

/** Parses the type and payload of an event; the message of a failure names the field. */
// The first cast: there is at least one payload. The second: `Object.entries` forgets which type has which payload.
export const RunEventBody = z.discriminatedUnion(
  'type',
  bodies as [(typeof bodies)[number], ...typeof bodies],
) as unknown as z.ZodType<RunEventBody>;

/** An event as it is read back: numbers start at 1 and have no holes; `at` is an ISO 8601 time. */
export type RunEvent = RunEventBody & { runId: string; number: number; key: string; at: string };
