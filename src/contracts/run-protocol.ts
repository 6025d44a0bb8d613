import { NO_USAGE } from './budget';
import type { RunEventType } from './event';
import { BRIEF_PASSES, type BriefPass, REPORT_PASSES, type ReportPass } from './pipeline';
import type { PassName, RunKind, RunMemo } from './run';
import type { RunShape } from './run-input';
import type { WorkerRole } from './run-settings';
import { runTexts } from './wording';

export interface InputCounts {
  sources: number;
  /** Briefs only. */
  subtopics?: number;
}

export function initialMemo(kind: RunKind, question: string, startedAt: Date, given: InputCounts): RunMemo {
  const pass = initialPass(kind, given);
  return {
    question,
    startedAt: startedAt.toISOString(),
    status: 'queued',
    pass,
    passRefs: {},
    usage: { total: NO_USAGE, byPass: {} },
  };
}

function initialPass(kind: RunKind, { sources, subtopics }: InputCounts): RunMemo['pass'] {
  switch (kind) {
    case 'answer':
      return { number: 0, of: 0, name: 'answer', message: 'Answering…' };
    case 'brief':
      return {
        number: 0,
        of: BRIEF_PASSES.length - 1,
        name: BRIEF_PASSES[0],
        message: briefMessage('gather', {
          subtopics: subtopics ?? null,
          checked: null,
          parts: null,
          judging: { doing: 'judge', version: 1 },
        }),
      };
    case 'report':
      return {
        number: 0,
        of: PASS_NAMES.length - 1,
        name: PASS_NAMES[0],
        message: passMessage('gather', { sources, inFull: sources }),
      };
  }
}

/** A pass's number is its index. */
export const PASS_NAMES = REPORT_PASSES;

/** Gathering has number 0 and precedes the four passes of document 002. */
export const LAST_PASS = PASS_NAMES.length - 1;

export function passNumber(pass: ReportPass): number {
  return PASS_NAMES.indexOf(pass);
}

/** Progress messages of document 002. `inFull` is the maximum number of sources that a section reads in full. */
export function passMessage(pass: ReportPass, counts: { sources: number; inFull: number }): string {
  switch (pass) {
    case 'gather':
      return counts.sources === 1
        ? `Gathering ${counts.sources} source…`
        : `Gathering ${counts.sources} sources…`;
    case 'overview':
      return counts.sources === 1
        ? `Analyzing themes across ${counts.sources} source…`
        : `Analyzing themes across ${counts.sources} sources…`;
    case 'deep-dive':
      return Math.min(counts.inFull, counts.sources) === 1
        ? `Deep diving into top ${Math.min(counts.inFull, counts.sources)} source…`
        : `Deep diving into top ${Math.min(counts.inFull, counts.sources)} sources…`;
    case 'cross-reference':
      return 'Validating findings and checking for conflicts…';
    case 'report':
      return 'Generating comprehensive report…';
  }
}

/** `Pass 2: Deep diving into top 50 sources…`. Gathering has no number in document 002. */
export function passLine({ number, message }: { number: number; message: string }): string {
  const told = message;
  return number === 0 ? told : runTexts.pass(number, told);
}

/** Approximate share of the time, in percent. */
const BRIEF_PASS_SHARE: Record<BriefPass, number> = { gather: 20, plan: 5, write: 55, judge: 20 };

/** Counts for a message; null if unknown yet. */
export interface BriefCounts {
  subtopics: number | null;
  /** Summaries checked so far; null outside the check. */
  checked: number | null;
  /** Null also if all parts are written in one call. */
  parts: { written: number; of: number } | null;
  judging: { doing: 'judge' | 'revise' | 'conclude'; version: number };
}

export function briefMessage(pass: BriefPass, { subtopics, checked, parts, judging }: BriefCounts): string {
  switch (pass) {
    case 'gather':
      if (subtopics === null) return 'Reading the subtopics…';
      if (checked === null)
        return subtopics === 1 ? `Reading ${subtopics} subtopic…` : `Reading ${subtopics} subtopics…`;
      return subtopics === 1
        ? `Checking ${Math.min(checked + 1, subtopics)} of ${subtopics} summary against their sources…`
        : `Checking ${Math.min(checked + 1, subtopics)} of ${subtopics} summaries against their sources…`;
    case 'plan':
      return 'Planning the brief…';
    case 'write':
      if (parts === null) return 'Writing the brief…';
      return `Writing part ${Math.min(parts.written + 1, parts.of)} of ${parts.of}…`;
    case 'judge':
      return judgingMessage(judging);
  }
}

function judgingMessage({ doing, version }: BriefCounts['judging']): string {
  switch (doing) {
    case 'judge':
      return version === 1 ? 'Judging the brief…' : `Judging version ${version} of the brief…`;
    case 'revise':
      return `Revising the brief: version ${version}…`;
    case 'conclude':
      return 'Putting the brief together…';
  }
}

/** 0–100; 0 for a pass of another kind. */
export function briefPercentDone(pass: PassName, parts: { done: number; of: number }): number {
  const known = BRIEF_PASSES.find((name) => name === pass);
  return known === undefined ? 0 : percentOfPasses(BRIEF_PASSES, BRIEF_PASS_SHARE, known, parts);
}

/** Approximate share of the time, in percent. */
const PASS_SHARE: Record<ReportPass, number> = {
  gather: 15,
  overview: 10,
  'deep-dive': 35,
  'cross-reference': 20,
  report: 20,
};

/** 0–100; 0 for a pass of another kind. */
export function percentDone(pass: PassName, parts: { done: number; of: number }): number {
  const known = PASS_NAMES.find((name) => name === pass);
  if (known === undefined) return 0;
  return percentOfPasses(PASS_NAMES, PASS_SHARE, known, parts);
}

/** 0–100: the shares of earlier passes, and the finished parts of `pass`. */
function percentOfPasses<Pass extends string>(
  passes: readonly Pass[],
  share: Readonly<Record<Pass, number>>,
  pass: Pass,
  parts: { done: number; of: number },
): number {
  const before = passes.slice(0, passes.indexOf(pass)).reduce((sum, name) => sum + share[name], 0);
  const within = parts.of === 0 ? 0 : (share[pass] * Math.min(parts.done, parts.of)) / parts.of;
  return Math.round((before + within) * 10) / 10;
}

const MAX_SUMMARY_CHARS = 200;

/** The question for lists of the Web UI, cut if it is long. */
export function startSummary(question: string): string {
  return question.length <= MAX_SUMMARY_CHARS ? question : `${question.slice(0, MAX_SUMMARY_CHARS - 1)}…`;
}

/** Equal places are the same event, whichever attempt of an activity reports it. */
export interface EventPlace {
  pass: number;
  step: string;
  section?: string;
  /** Number of intended rewrites of the section. */
  revision?: number;
  type: RunEventType;
  ordinal?: number | string;
}

/** Idempotency key of an event: pass / step / section / revision / type / ordinal (decision 10). */
export function eventKey({ pass, step, section = '-', revision = 0, type, ordinal = 0 }: EventPlace): string {
  return [pass, step, section, revision, type, ordinal].join('/');
}

/** Queue of model calls, which have slots and a rate limit of their own and do not delay other work. */
export function modelTaskQueue(taskQueue: string): string {
  return `${taskQueue}-models`;
}

/** Queue of work that needs CPU and memory, which the workers of workflows need not have. */
export function computingTaskQueue(taskQueue: string): string {
  return `${taskQueue}-computing`;
}

export function queueOfRole(taskQueue: string, role: WorkerRole): string {
  if (role === 'runs') return taskQueue;
  return role === 'computing' ? computingTaskQueue(taskQueue) : modelTaskQueue(taskQueue);
}

/** For runs without a shape in their input. */
export const DEFAULT_SHAPE: RunShape = {
  atOnce: 32,
  sourcesABatch: 50,
  mostBatches: 200,
  summariesAtOnce: 10_000,
  scoredAtOnce: 100,
  round: 64,
};

/** For new runs. A batch of the largest size takes about 1 min of a thread, and a plan of 5,000 summaries about 100 MB. */
export const RUN_SHAPE: RunShape = { ...DEFAULT_SHAPE, summariesAtOnce: 5_000, largestBatch: 500 };

/** Ids that need no escaping in a file system, in keys of a store, or in a shell. */
const PLAIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

export function isPlainRunId(runId: string): boolean {
  return PLAIN_ID.test(runId);
}

/**
 * A version that passed wins, then the higher overall score, then the earlier one. Workflows call this, so it must stay
 * deterministic.
 */
export function betterVersion<Version extends { overall: number; passed: boolean }>(
  earlier: Version,
  later: Version,
): Version {
  if (earlier.passed !== later.passed) return later.passed ? later : earlier;
  return later.overall > earlier.overall ? later : earlier;
}
