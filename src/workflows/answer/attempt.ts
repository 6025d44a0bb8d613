import type { AdmittedAnswer } from '../../activities/answer/admit-answer';
import type { AuditedAnswer } from '../../activities/answer/audit-answer';
import type { WrittenAnswer } from '../../activities/answer/write-answer';
import { traitsOf } from '../../contracts/run/engines';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { compressionRatio, OVER_COMPRESSION_GAP } from '../../core/answer/answer-telemetry';
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
  const context = contexts.get(found.passagesRef) ?? (await compress(run, found, attempt));
  contexts.set(found.passagesRef, context);
  const isOverCompressed = context !== null && isTooLittle(run, context);
  // Once it is set it stays: what was left out then may be what is missing.
  if (isOverCompressed) carried.overCompression = true;
  const before = decideBeforeCritic({ ...facts, isOverCompressed });
  if (before !== null) return before;
  const { claims, supported, needsRetry, isSufficient } = await writeAndAudit(run, start, context);
  return decideNext({ ...facts, isOverCompressed, audited: { claims, supported, needsRetry, isSufficient } });
}

function isTooLittle(run: AnswerRun, { isCompressed, originalChars, compressedChars }: Context): boolean {
  const sizes = { originalContextChars: originalChars, compressedContextChars: compressedChars };
  return isCompressed && compressionRatio(sizes) < run.input.answers.overCompressionBelow;
}

async function writeAndAudit(
  run: AnswerRun,
  { admitted: { historyRef }, attempt, found, critiqueRef }: AttemptStart,
  context: Context | null,
): Promise<AuditedAnswer & Pick<WrittenAnswer, 'isSufficient'>> {
  const { carried } = run;
  const { passagesRef } = found;
  const written = await write(run, { attempt, found, context, historyRef, critiqueRef });
  carried.metrics = written.metrics;
  carried.trace.push(written.telemetry);
  const audited = await audit(run, written, {
    attempt,
    passagesRef,
    insteadRef: carried.standing?.draftRef ?? null,
    logicalGaps: carried.overCompression ? [OVER_COMPRESSION_GAP] : [],
  });
  carried.trace.push(audited.telemetry);
  carried.critiqueRef = audited.critiqueRef;
  if (audited.isBetter) carried.standing = { draftRef: audited.draftRef, passagesRef };
  return { ...audited, isSufficient: written.isSufficient };
}
