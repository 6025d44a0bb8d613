import { log } from '@temporalio/workflow';
import type { AdmittedAnswer } from '../../activities/answer/admit-answer';
import type { AuditedAnswer } from '../../activities/answer/audit-answer';
import type { ToldCritique, WrittenAnswer } from '../../activities/answer/write-answer';
import type { AnswerMetrics } from '../../contracts/answer/answer-telemetry';
import { traitsOf } from '../../contracts/run/engines';
import type { ArtifactRef } from '../../contracts/run/artifact';
import {
  answerMetrics,
  isOverCompressed as isTooLittle,
  OVER_COMPRESSION_GAP,
  synthesizerEntry,
} from '../../answers/answer-telemetry';
import { decideBeforeCritic, decideNext, type Decision } from '../../answers/decide-next';
import type { AnswerRun } from './carried-answer';
import { audit, compress, write, type Context } from './attempt-steps';
import { canBroaden, type FoundPassages } from './find-passages';

export interface AttemptStart {
  admitted: AdmittedAnswer;
  /** From 1. */
  attempt: number;
  found: FoundPassages;
  isBroadened: boolean;
  /** What was wrong before; null where nothing is known of it. */
  critique: ToldCritique | null;
  /** Contexts that were compressed already, by their passages. */
  contexts: Map<ArtifactRef, Context | null>;
}

/** Compresses, writes and audits; the better of this text and the one before stands. Gives what comes next. */
export async function carryOutAttempt(run: AnswerRun, start: AttemptStart): Promise<Decision> {
  const { carried, input } = run;
  const { admitted, attempt, found, isBroadened, contexts } = start;
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
  const since = Date.now();
  const context = contexts.get(found.passagesRef) ?? (await compress(run, found, attempt));
  contexts.set(found.passagesRef, context);
  const isOverCompressed = isTooLittle(sizesOf(context), input.answers.overCompressionBelow);
  // Once it is set it stays: what was left out then may be what is missing.
  if (isOverCompressed) carried.overCompression = true;
  const before = decideBeforeCritic({ ...facts, isOverCompressed });
  if (before !== null) {
    noteUnwritten(run, { attempt, context, since });
    return before;
  }
  const { claims, supported, needsRetry, isSufficient } = await writeAndAudit(run, start, context);
  return decideNext({ ...facts, isOverCompressed, audited: { claims, supported, needsRetry, isSufficient } });
}

function sizesOf(
  context: Context | null,
): Pick<AnswerMetrics, 'originalContextChars' | 'compressedContextChars'> {
  return {
    originalContextChars: context?.originalChars ?? 0,
    compressedContextChars: context?.compressedChars ?? 0,
  };
}

/** An attempt that ends before anything is written is measured as well: its text has no character. */
function noteUnwritten(
  { carried }: AnswerRun,
  { attempt, context, since }: { attempt: number; context: Context | null; since: number },
): void {
  const metrics = answerMetrics({
    ...sizesOf(context),
    compressionLatencyMs: context?.latencyMs ?? 0,
    markdown: '',
  });
  const endedAt = Date.now();
  const at = { attempt, durationMs: endedAt - since, overCompression: carried.overCompression };
  const telemetry = synthesizerEntry(metrics, at);
  carried.measured.push({ metrics, telemetry, startedAt: since, endedAt });
  carried.trace.push(telemetry);
}

async function writeAndAudit(
  run: AnswerRun,
  { admitted: { historyRef }, attempt, found, critique }: AttemptStart,
  context: Context | null,
): Promise<AuditedAnswer & Pick<WrittenAnswer, 'isSufficient'>> {
  const { carried } = run;
  const { passagesRef } = found;
  const since = Date.now();
  const written = await write(run, { attempt, found, context, historyRef, critique });
  const { metrics, telemetry, sourceDocuments } = written;
  if (sourceDocuments !== undefined)
    log.info('synthesis_mode_activated', { source_doc_count: sourceDocuments, attempt });
  carried.measured.push({ metrics, telemetry, startedAt: since, endedAt: Date.now() });
  carried.trace.push(telemetry);
  const audited = await audit(run, written, {
    attempt,
    passagesRef,
    instead: carried.standing,
    logicalGaps: carried.overCompression ? [OVER_COMPRESSION_GAP] : [],
  });
  carried.trace.push(audited.telemetry);
  carried.critique = { critiqueRef: audited.critiqueRef, passagesRef };
  if (audited.isBetter) carried.standing = { draftRef: audited.draftRef, passagesRef };
  return { ...audited, isSufficient: written.isSufficient };
}
