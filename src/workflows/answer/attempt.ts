import type { AdmittedAnswer } from '../../activities/answer/admit-answer';
import type { AuditedAnswer } from '../../activities/answer/audit-answer';
import type { WrittenAnswer } from '../../activities/answer/write-answer';
import { traitsOf } from '../../contracts/run/engines';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { compressionRatio, OVER_COMPRESSED } from '../../core/answer/over-compressed';
import { decideBeforeCritic, decideNext, type Decision } from '../../core/answer/decide-next';
import type { AnswerRun } from './answer-run';
import { audit, compress, write, type Context } from './attempt-steps';
import { canBroaden, type FoundPassages } from './find-passages';

/** What an attempt begins with. */
export interface AttemptStart {
  admitted: AdmittedAnswer;
  /** From 1. */
  attempt: number;
  found: FoundPassages;
  isBroadened: boolean;
  /** What was wrong before; null where nothing is known of it. */
  critiqueRef: ArtifactRef | null;
}

/** Compresses, writes and audits; the better of this text and the one before stands. Gives what comes next. */
export async function carryOutAttempt(run: AnswerRun, start: AttemptStart): Promise<Decision> {
  const { carried, input } = run;
  const { admitted, attempt, found, isBroadened, critiqueRef } = start;
  const facts = {
    attempt,
    maxAttempts: input.answers.maxAttempts,
    isBroadened,
    canBroaden: canBroaden(run, admitted),
    canRewrite: traitsOf(input.engine).asksModels,
    isOverCompressed: false,
    audited: null,
  };
  if (found.passages === 0) return decideNext(facts);
  const context = await compress(run, found, attempt);
  const isOverCompressed =
    context?.isCompressed === true && compressionRatio(context) < input.answers.overCompressionBelow;
  if (isOverCompressed) carried.overCompression = true;
  const before = decideBeforeCritic({ ...facts, isOverCompressed });
  if (before !== null) return before;
  const { historyRef } = admitted;
  const contextRef = context?.contextRef ?? null;
  const since = Date.now();
  const written = await write(run, { attempt, found, contextRef, historyRef, critiqueRef });
  noteWritten(run, attempt, { written, context, durationMs: Date.now() - since });
  const audited = await auditWritten(run, start, written);
  const { claims, supported, needsRetry } = audited;
  const { isSufficient } = written;
  return decideNext({ ...facts, isOverCompressed, audited: { claims, supported, needsRetry, isSufficient } });
}

async function auditWritten(
  run: AnswerRun,
  { attempt, found: { passagesRef } }: AttemptStart,
  written: WrittenAnswer,
): Promise<AuditedAnswer> {
  const { carried } = run;
  const since = Date.now();
  const audited = await audit(run, written, {
    attempt,
    passagesRef,
    insteadRef: carried.standing?.draftRef ?? null,
    logicalGaps: carried.overCompression ? [OVER_COMPRESSED] : [],
  });
  const { claims, supported, setAside, logicalGaps, hallucinationDetected, needsRetry } = audited;
  carried.trace.push({
    node: 'critic',
    ...{ attempt, claims, supported },
    set_aside: setAside,
    logical_gaps: logicalGaps,
    hallucination_detected: hallucinationDetected,
    needs_retry: needsRetry,
    duration_ms: Date.now() - since,
  });
  carried.critiqueRef = audited.critiqueRef;
  if (audited.isBetter)
    carried.standing = { draftRef: audited.draftRef, passagesRef, synthesisMode: written.synthesisMode };
  return audited;
}

/** Document 004's metrics and telemetry of a text. */
function noteWritten(
  run: AnswerRun,
  attempt: number,
  { written, context, durationMs }: { written: WrittenAnswer; context: Context | null; durationMs: number },
): void {
  const { carried } = run;
  const { chars, citations, contextChars } = written;
  const sizes = context ?? { originalChars: contextChars, compressedChars: contextChars };
  const latencyMs = context?.latencyMs ?? 0;
  carried.metrics = {
    originalContextChars: sizes.originalChars,
    compressedContextChars: sizes.compressedChars,
    compressionRatio: compressionRatio(sizes),
    citationCount: citations,
    answerLength: chars,
    compressionLatencyMs: latencyMs,
  };
  carried.trace.push({
    node: 'synthesizer',
    retry_count: attempt - 1,
    context_chars: sizes.originalChars,
    context_compressed: context?.isCompressed === true,
    compression_latency_ms: latencyMs,
    answer_length: chars,
    citations,
    duration_ms: durationMs + latencyMs,
    over_compression_flag: carried.overCompression,
  });
}
