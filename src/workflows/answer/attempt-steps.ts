import type { AuditedAnswer } from '../../activities/answer/audit-answer';
import type { CompressedContext } from '../../activities/answer/compress-context';
import type { MendedAnswer } from '../../activities/answer/mend-answer';
import type { ToldCritique, WriteAnswerInput, WrittenAnswer } from '../../activities/answer/write-answer';
import { traitsOf } from '../../contracts/run/engines';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { counted } from '../run/publishing/run-mirror';
import { activities } from './activities';
import type { AnswerRun, StandingDraft } from './carried-answer';
import type { FoundPassages } from './find-passages';

export interface Context extends CompressedContext {
  latencyMs: number;
}

/** The context as the writer reads it; null where the engine reads everything as it is. */
export async function compress(
  run: AnswerRun,
  { passagesRef, passages, isWhole }: FoundPassages,
  { attempt, isBroadened }: { attempt: number; isBroadened: boolean },
): Promise<Context | null> {
  if (!traitsOf(run.input.engine).asksModels) return null;
  const since = Date.now();
  const context = await run.ask(
    activities.compressContext,
    { run: run.facts, attempt, passagesRef, isWhole, isBroadened },
    `attempt ${attempt} · compress ${counted(passages, 'passage')}`,
    'what is long was cut',
  );
  return { ...context, latencyMs: context.isCompressed ? Date.now() - since : 0 };
}

interface ToWrite {
  attempt: number;
  found: FoundPassages;
  context: Context | null;
  historyRef: ArtifactRef | null;
  critique: ToldCritique | null;
}

export function write(run: AnswerRun, from: ToWrite): Promise<WrittenAnswer> {
  return run.ask(activities.writeAnswer, requestOf(run, from), summaryOf(from));
}

/** Mends what an audit or a judge named of an audited text; null where no model does, or nothing came of it. */
export async function mend(
  run: AnswerRun,
  {
    attempt,
    passagesRef,
    context,
    ...text
  }: {
    attempt: number;
    passagesRef: ArtifactRef;
    context: Context | null;
    draftRef: ArtifactRef;
    judgementRef?: ArtifactRef;
  },
): Promise<MendedAnswer | null> {
  const request = {
    run: run.facts,
    attempt,
    passagesRef,
    compressed: context === null ? null : sizesOf(context),
    overCompression: run.carried.overCompression,
    ...text,
  };
  const mended = await run.askModel(
    activities.mendAnswer,
    request,
    `attempt ${attempt} · mend what is wrong`,
    text.judgementRef === undefined ? 'the text is written anew' : 'the text before it stands',
  );
  return mended?.isChanged === true ? mended : null;
}

function requestOf(
  run: AnswerRun,
  { attempt, found: { passagesRef }, context, historyRef, critique }: ToWrite,
): WriteAnswerInput {
  return {
    run: run.facts,
    attempt,
    passagesRef,
    historyRef,
    critique,
    contextRef: context?.contextRef ?? null,
    compressed: context === null ? null : sizesOf(context),
    overCompression: run.carried.overCompression,
  };
}

function summaryOf({ attempt, found: { passages, documents } }: ToWrite): string {
  return `attempt ${attempt} · write from ${counted(passages, 'passage')} of ${counted(documents, 'document')}`;
}

function sizesOf({ originalChars, compressedChars, latencyMs }: Context): WriteAnswerInput['compressed'] {
  return { originalChars, compressedChars, latencyMs };
}

const BY_WORDS = 'what words alone cannot decide of it is unchecked';

/** Holds the text of an attempt against what it cites; where it says nothing nobody is asked. */
export function audit(
  run: AnswerRun,
  written: WrittenAnswer,
  {
    instead,
    ...request
  }: {
    attempt: number;
    passagesRef: ArtifactRef;
    /** The text that stands where this one is no better. */
    instead: StandingDraft | null;
    logicalGaps: string[];
  },
): Promise<AuditedAnswer> {
  const { draftRef, claims, metrics } = written;
  const insteadRef = instead?.draftRef ?? null;
  const given = { run: run.facts, draftRef, insteadRef, ...request };
  const said = `${counted(metrics.answerLength, 'character')}, ${counted(metrics.citationCount, 'citation')}`;
  const part = `attempt ${request.attempt} · audit ${counted(claims, 'claim')} · ${said}`;
  if (claims === 0) return run.carryOut(activities.auditAnswer, given, part);
  return run.ask(activities.auditAnswer, given, part, BY_WORDS);
}
