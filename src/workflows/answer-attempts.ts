import { proxyActivities } from '@temporalio/workflow';
import type { AdmittedAnswer } from '../activities/admit-answer';
import type { AuditedAnswer } from '../activities/audit-answer';
import type { MeasuredAnswer } from '../activities/conclude-answer';
import type { AnswerActivities } from '../activities/create-activities';
import type { AnswerFacts } from '../activities/ports';
import type {
  CompressedContext,
  MendedAnswer,
  ToldCritique,
  WriteAnswerInput,
  WrittenAnswer,
} from '../activities/write-answer';
import type { AnswerTraceEntry } from '../contracts/answer';
import { traitsOf } from '../contracts/pipeline';
import type { ArtifactRef } from '../contracts/source';
import type { AnswerRunInput } from '../contracts/start';
import { counted } from './publishing';
import type { Version } from './revision';
import type { Run } from './run-definition';
import { orShortfall } from './run-parts';
import type { CarriedRun } from './run-state';
import { endSearchRound, searchRound } from './search-round';
import { computing, COMPUTING, ACTIVITY_OPTIONS } from './steps';

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

export interface FoundPassages {
  passagesRef: ArtifactRef;
  passages: number;
  documents: number;
  /** Of the passages together, in UTF-16 units. */
  chars: number;
  /** What was looked for: the question, and further wordings of it. */
  queries: string[];
  /** Whether they are all that there is. */
  isWhole: boolean;
}

/** Whether there is more to look through than was found. */
export function canBroaden(
  run: AnswerRun,
  { manifestRef, given }: AdmittedAnswer,
  { isWhole }: FoundPassages,
): boolean {
  return !isWhole && (manifestRef !== null || given > run.input.answers.passages);
}

/**
 * Looks for passages by the question; in a conversation, and where it is looked more broadly, by other wordings of it too,
 * which know what was said, looked for and missing before.
 */
export async function findPassages(
  run: AnswerRun,
  admitted: AdmittedAnswer,
  at: { attempt: number; before: FoundPassages | null; critique: ToldCritique | null },
): Promise<FoundPassages> {
  const { facts, carried, input } = run;
  const { attempt, before, critique } = at;
  const { manifestRef, givenRef, historyRef } = admitted;
  const since = Date.now();
  const queries = [...(before?.queries ?? [input.question])];
  if (before !== null || historyRef !== null) {
    const request = {
      run: facts,
      attempt,
      historyRef,
      queries,
      passagesRef: before?.passagesRef ?? null,
      critiqueRef: critique?.critiqueRef ?? null,
    };
    const rewritten = await run.askModel(
      activities.rewriteQuestion,
      request,
      `attempt ${attempt} · word the question otherwise`,
      'it was looked for in the words that there are',
    );
    queries.push(...(rewritten?.queries ?? []).filter((query) => !queries.includes(query)));
  }
  const { passages: few, broaderPassages } = input.answers;
  const most = before === null ? few : broaderPassages;
  const request = { run: facts, manifestRef, givenRef, queries, most };
  const found = await run.carryOut(
    activities.retrievePassages,
    request,
    `attempt ${attempt} · find ${most} passages${before === null ? '' : ', more broadly'}`,
  );
  const { passagesRef, passages, documents, chars, answerable, isWhole } = found;
  carried.passagesRef = passagesRef;
  carried.trace.push({
    node: 'retriever',
    attempt,
    queries,
    passages,
    documents,
    answerable,
    broader: before !== null,
    duration_ms: Date.now() - since,
  });
  return { passagesRef, passages, documents, chars, queries, isWhole };
}

/** What an answer may rest on, with what it looks for itself; it searches once, and goes on with what it has where that comes to nothing. */
export async function withFound(run: AnswerRun, admitted: AdmittedAnswer): Promise<AdmittedAnswer> {
  const { search, runId } = run.input;
  if (search === undefined) return admitted;
  const settled = await orShortfall(
    run,
    () => searchRound(run, { ...search, rounds: 1 }, { pass: 'answer', validatedRef: null }),
    (reason) =>
      run.addShortfall(
        `Nothing could be searched (${reason}): what is said rests on the sources that were given.`,
      ),
  );
  endSearchRound(run);
  const { manifestRef = null, sourceCount = 0, nothing = null } = settled ?? {};
  if (nothing !== null) await run.warn({ code: 'search', message: `Nothing was found to read: ${nothing}.` });
  if (manifestRef === null) return admitted;
  const request = { runId, manifestRef, sourceCount, givenRef: admitted.manifestRef };
  const { givenRef } = await run.carryOut(computing.admitSources, request, 'list the sources');
  return { ...admitted, manifestRef: givenRef ?? admitted.manifestRef, isIndexed: false };
}

export interface StandingDraft {
  draftRef: ArtifactRef;
  passagesRef: ArtifactRef;
}

/** What an answer has made, as it makes it: where it ends early, its reply is made of this. */
export interface CarriedAnswer extends CarriedRun {
  admitted: Pick<AdmittedAnswer, 'historyRef' | 'finalOutputRef' | 'observationCount'> | null;
  /** How many attempts have begun. */
  attempts: number;
  passagesRef: ArtifactRef | null;
  standing: StandingDraft | null;
  /** Of the last attempt that was audited. */
  critique: ToldCritique | null;
  measured: MeasuredAnswer[];
  overCompression: boolean;
  trace: AnswerTraceEntry[];
  failure: string | null;
  answerRef: ArtifactRef | null;
  /** What was judged, or is to be; absent where that was not asked for. */
  versions?: Version<StandingDraft>[];
}

export function nothingAnswered(): Omit<CarriedAnswer, keyof CarriedRun> {
  return {
    admitted: null,
    attempts: 0,
    passagesRef: null,
    standing: null,
    critique: null,
    measured: [],
    overCompression: false,
    trace: [],
    failure: null,
    answerRef: null,
  };
}

export type AnswerRun = Run<AnswerRunInput, CarriedAnswer, AnswerFacts>;

/** What is done for an answer; histories know each by its name here. Somebody waits for it, and each of it is short. */
export const activities = proxyActivities<Omit<AnswerActivities, 'indexCorpus'>>(ACTIVITY_OPTIONS);

/** An index takes long where a corpus is new. */
export const answerComputing = proxyActivities<Pick<AnswerActivities, 'indexCorpus'>>(COMPUTING);
