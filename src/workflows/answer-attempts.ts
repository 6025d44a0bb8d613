import { proxyActivities } from '@temporalio/workflow';
import type { AdmittedAnswer } from '../activities/admit-answer';
import type { AuditedAnswer } from '../activities/audit-answer';
import type { AttemptMetrics } from '../activities/conclude-answer';
import type { AnswerActivities } from '../activities/create-activities';
import type { AnswerContext } from '../activities/ports';
import type {
  CompressedContext,
  CritiqueRefs,
  MendedAnswer,
  WriteAnswerInput,
  WrittenAnswer,
} from '../activities/write-answer';
import type { AnswerTraceEntry } from '../contracts/answer';
import { capabilitiesOf } from '../contracts/pipeline';
import type { ArtifactRef } from '../contracts/source';
import type { AnswerRunInput } from '../contracts/start';
import { formatCount } from './publishing';
import type { Version } from './revision';
import type { Run } from './run-definition';
import { orShortfall } from './run-parts';
import type { WorkflowState } from './run-state';
import { endSearchRound, runSearchRound } from './search-round';
import { ACTIVITY_OPTIONS, COMPUTE_OPTIONS, computeActivities } from './steps';

export interface TimedContext extends CompressedContext {
  latencyMs: number;
}

export async function compressPassages(
  run: AnswerRun,
  { passagesRef, passages, isWhole }: FoundPassages,
  { attempt, isBroadened }: { attempt: number; isBroadened: boolean },
): Promise<TimedContext | null> {
  if (!capabilitiesOf(run.input.engine).asksModels) return null;
  const since = Date.now();
  const context = await run.ask(
    answerActivities.compressContext,
    { run: run.facts, attempt, passagesRef, isWhole, isBroadened },
    `attempt ${attempt} · compress ${formatCount(passages, 'passage')}`,
    'what is long was cut',
  );
  return { ...context, latencyMs: context.isCompressed ? Date.now() - since : 0 };
}

interface WriteRequest {
  attempt: number;
  found: FoundPassages;
  context: TimedContext | null;
  historyRef: ArtifactRef | null;
  critique: CritiqueRefs | null;
}

export function writeAnswer(run: AnswerRun, from: WriteRequest): Promise<WrittenAnswer> {
  return run.ask(answerActivities.writeAnswer, writeRequest(run, from), writeSummary(from));
}

/** Returns null if no model can be asked, or if it changes nothing. */
export async function mendAnswer(
  run: AnswerRun,
  {
    attempt,
    passagesRef,
    context,
    ...text
  }: {
    attempt: number;
    passagesRef: ArtifactRef;
    context: TimedContext | null;
    draftRef: ArtifactRef;
    judgementRef?: ArtifactRef;
  },
): Promise<MendedAnswer | null> {
  const request = {
    run: run.facts,
    attempt,
    passagesRef,
    compressed: context === null ? null : contextSizes(context),
    overCompression: run.carried.overCompression,
    ...text,
  };
  const mended = await run.askModel(
    answerActivities.mendAnswer,
    request,
    `attempt ${attempt} · mend what is wrong`,
    text.judgementRef === undefined ? 'the text is written anew' : 'the text before it stands',
  );
  return mended?.isChanged === true ? mended : null;
}

function writeRequest(
  run: AnswerRun,
  { attempt, found: { passagesRef }, context, historyRef, critique }: WriteRequest,
): WriteAnswerInput {
  return {
    run: run.facts,
    attempt,
    passagesRef,
    historyRef,
    critique,
    contextRef: context?.contextRef ?? null,
    compressed: context === null ? null : contextSizes(context),
    overCompression: run.carried.overCompression,
  };
}

function writeSummary({ attempt, found: { passages, documents } }: WriteRequest): string {
  return `attempt ${attempt} · write from ${formatCount(passages, 'passage')} of ${formatCount(documents, 'document')}`;
}

function contextSizes({
  originalChars,
  compressedChars,
  latencyMs,
}: TimedContext): WriteAnswerInput['compressed'] {
  return { originalChars, compressedChars, latencyMs };
}

const AUDIT_FALLBACK = 'what words alone cannot decide of it is unchecked';

/** A text without claims needs no model. */
export function auditAnswer(
  run: AnswerRun,
  written: WrittenAnswer,
  {
    instead,
    ...request
  }: {
    attempt: number;
    passagesRef: ArtifactRef;
    /** The current best text, which stays if this one is no better. */
    instead: BestDraft | null;
    logicalGaps: string[];
  },
): Promise<AuditedAnswer> {
  const { draftRef, claims, metrics } = written;
  const insteadRef = instead?.draftRef ?? null;
  const given = { run: run.facts, draftRef, insteadRef, ...request };
  const said = `${formatCount(metrics.answerLength, 'character')}, ${formatCount(metrics.citationCount, 'citation')}`;
  const part = `attempt ${request.attempt} · audit ${formatCount(claims, 'claim')} · ${said}`;
  if (claims === 0) return run.carryOut(answerActivities.auditAnswer, given, part);
  return run.ask(answerActivities.auditAnswer, given, part, AUDIT_FALLBACK);
}

export interface FoundPassages {
  passagesRef: ArtifactRef;
  passages: number;
  documents: number;
  chars: number;
  /** The question, followed by its rewritten forms. */
  queries: string[];
  /** True if these are all passages of the corpus. */
  isWhole: boolean;
}

/** True if a broader search may find more passages. */
export function canBroaden(
  run: AnswerRun,
  { manifestRef, given }: AdmittedAnswer,
  { isWhole }: FoundPassages,
): boolean {
  return !isWhole && (manifestRef !== null || given > run.input.answers.passages);
}

/** A conversation or a broader search also rewrites the question with the history and the critique. */
export async function findPassages(
  run: AnswerRun,
  admitted: AdmittedAnswer,
  at: { attempt: number; before: FoundPassages | null; critique: CritiqueRefs | null },
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
      answerActivities.rewriteQuestion,
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
    answerActivities.retrievePassages,
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

/** One search adds sources to the material. If it fails, the answer rests on the given sources. */
export async function addSearchedSources(run: AnswerRun, admitted: AdmittedAnswer): Promise<AdmittedAnswer> {
  const { search, runId } = run.input;
  if (search === undefined) return admitted;
  const settled = await orShortfall(
    run,
    () => runSearchRound(run, { ...search, rounds: 1 }, { pass: 'answer', validatedRef: null }),
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
  const { givenRef } = await run.carryOut(computeActivities.admitSources, request, 'list the sources');
  return { ...admitted, manifestRef: givenRef ?? admitted.manifestRef, isIndexed: false };
}

export interface BestDraft {
  draftRef: ArtifactRef;
  passagesRef: ArtifactRef;
}

/** The reply is built from this state if the workflow ends early. */
export interface AnswerState extends WorkflowState {
  admitted: Pick<AdmittedAnswer, 'historyRef' | 'finalOutputRef' | 'observationCount'> | null;
  attempts: number;
  passagesRef: ArtifactRef | null;
  standing: BestDraft | null;
  critique: CritiqueRefs | null;
  measured: AttemptMetrics[];
  overCompression: boolean;
  trace: AnswerTraceEntry[];
  failure: string | null;
  answerRef: ArtifactRef | null;
  /** Versions for the judge; absent if the judge is disabled. */
  versions?: Version<BestDraft>[];
}

export function initialAnswerState(): Omit<AnswerState, keyof WorkflowState> {
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

export type AnswerRun = Run<AnswerRunInput, AnswerState, AnswerContext>;

/** Short activities of an answer: a caller waits for the reply. */
export const answerActivities = proxyActivities<Omit<AnswerActivities, 'indexCorpus'>>(ACTIVITY_OPTIONS);

/** Indexing a new corpus takes long, so it has other timeouts. */
export const indexActivities = proxyActivities<Pick<AnswerActivities, 'indexCorpus'>>(COMPUTE_OPTIONS);
