import {
  ActivityFailure,
  ApplicationFailure,
  isCancellation,
  log,
  TemporalFailure,
} from '@temporalio/workflow';
import type { AdmittedAnswer } from '../activities/admit-answer';
import type { AuditedAnswer } from '../activities/audit-answer';
import type { AnswerContext } from '../activities/ports';
import type { CritiqueRefs, WrittenAnswer } from '../activities/write-answer';
import type { AnswerMetrics, AnswerTraceEntry } from '../contracts/answer';
import { capabilitiesOf } from '../contracts/pipeline';
import type { RunOutcome } from '../contracts/run';
import { eventKey } from '../contracts/run-protocol';
import type { ArtifactRef } from '../contracts/source';
import type { AnswerRunInput } from '../contracts/start';
import {
  answerMetrics,
  decideBeforeCritic,
  decideNext,
  type Decision,
  isOverCompressed as isTooLittle,
  OVER_COMPRESSION_GAP,
  synthesizerEntry,
} from '../report/answer-state';
import {
  addSearchedSources,
  answerActivities,
  type AnswerRun,
  type AnswerState,
  auditAnswer,
  type BestDraft,
  canBroaden,
  compressPassages,
  findPassages,
  type FoundPassages,
  indexActivities,
  initialAnswerState,
  mendAnswer,
  type TimedContext,
  writeAnswer,
} from './answer-attempts';
import { parseAnswerInput, type PendingReply, replyRequest } from './answer-request';
import { invalidInput, isInvalidInput } from './input';
import { formatCount } from './publishing';
import { bestVersion, judgeAndRevise, judgeSummary } from './revision';
import type { FinalStatus, RunDefinition } from './run-definition';
import { conclude, failureReason, orShortfall } from './run-parts';
import { addWarnings, searchMessage } from './run-state';
import { sharedActivities as shared } from './steps';

export function answerDefinition(
  box: PendingReply,
): RunDefinition<AnswerRunInput, AnswerState, AnswerContext> {
  return {
    name: 'answer',
    passes: [
      {
        name: 'answer',
        role: 'fast',
        message: ({ search }, carried) =>
          (carried.search?.now === undefined ? null : searchMessage(search, carried.search)) ?? 'Answering…',
      },
    ],
    insteadOfUnfinished: 'so the reply has what there was until then',
    readInput: parseAnswerInput,
    begin: initialAnswerState,
    facts: ({ runId, question, engine, models = null, stepVersions, answers }) => ({
      runId,
      question,
      engine,
      models,
      stepVersions,
      answers,
    }),
    percentDone: (_pass, { done, of }) => (of === 0 ? 0 : Math.round((100 * Math.min(done, of)) / of)),
    section: () => null,
    detailLines: (_pass, { trace }) => trace.map(traceLine),
    passRefs: ({ answerRef }) => (answerRef === null ? {} : { answer: answerRef }),
    hasFindings: ({ standing }) => standing !== null,
    answerQueries: () => undefined,
    carryOut: runAnswer,
    conclude: (run, status) => concludeAnswer(run, status, box),
  };
}

function traceLine(entry: AnswerTraceEntry): string {
  switch (entry.node) {
    case 'retriever':
      return `  - ${entry.attempt}: ${formatCount(entry.passages, 'passage')} of ${formatCount(entry.documents, 'document')}${entry.broader ? ', more broadly' : ''}`;
    case 'synthesizer':
      return `  - ${entry.retry_count + 1}: ${formatCount(entry.answer_length, 'character')} with ${formatCount(entry.citations, 'citation')} from ${formatCount(entry.context_chars, 'character')}${entry.over_compression_flag ? ', over-compressed' : ''}`;
    case 'critic':
      return `  - ${entry.attempt}: ${entry.supported} of ${formatCount(entry.claims, 'claim')} supported`;
    case 'supervisor':
      return `  - ${entry.attempt}: ${entry.decision} (${entry.reason})`;
  }
}

async function concludeAnswer(run: AnswerRun, status: FinalStatus, box: PendingReply): Promise<RunOutcome> {
  const { attempts, measured, versions = [] } = run.carried;
  const { since, manifestRef = null, history } = run.input;
  const judge = judgeSummary(versions);
  const { accountRef } = run.carried.search ?? {};
  const request = {
    ...replyRequest(run, bestVersion(versions)?.text ?? run.carried.standing, status),
    failure: replyFailure(run, status),
    ...(judge === null ? {} : { judge }),
    ...(accountRef === undefined ? {} : { searchRef: accountRef }),
    ...(since === undefined ? {} : { since: { before: since, manifestRef } }),
    ...(manifestRef === null ? {} : { manifestRef }),
  };
  const cited = measured.at(-1)?.metrics.citationCount ?? 0;
  const summary = `reply · ${formatCount(attempts, 'attempt')}, ${formatCount(cited, 'citation')}, ${request.latencyMs} ms`;
  try {
    const { answer: _told, ...outcome } = await conclude(run, status, {
      async store(trial) {
        const stored = await answerActivities.concludeAnswer.executeWithOptions({ summary, ...trial }, [
          request,
        ]);
        run.carried.answerRef = stored.reportRef;
        return stored;
      },
      citations: ({ answer }) => answer.citations.length,
      facts: ({ answer }) => [
        answer.outcome,
        `confidence ${answer.confidence}`,
        formatCount(answer.citations.length, 'citation'),
        ...(answer.judge ? [`score ${answer.judge.overall} of 5`] : []),
      ],
      tell: ({ answer }) => box.put(answer, history),
    });
    return outcome;
  } catch (error) {
    if (error instanceof TemporalFailure) box.fail(error);
    throw error;
  }
}

/** Why the answer is incomplete, as a sentence; null if the run completed. */
function replyFailure({ carried: { failure }, clock }: AnswerRun, status: FinalStatus): string | null {
  if (failure !== null) return failure;
  if (clock.timeIsUp) return 'The time allowed for the answer was over.';
  return status === 'cancelled' ? 'The request was cancelled.' : null;
}

/** After a failure the reply is built from the results so far. */
async function runAnswer(run: AnswerRun): Promise<void> {
  await withPartialResult(run, async () => {
    const admitted = await prepareAnswer(run);
    await run.pass(
      'answer',
      async () => runAttempts(run, await addSearchedSources(run, admitted)),
      () => undefined,
    );
  });
}

async function runAttempts(run: AnswerRun, admitted: AdmittedAnswer): Promise<void> {
  const { carried, input } = run;
  if (admitted.manifestRef === null && admitted.given === 0) return; // no material to search
  if (admitted.manifestRef !== null && !admitted.isIndexed) {
    const request = { run: run.facts, manifestRef: admitted.manifestRef };
    await run.carryOut(indexActivities.indexCorpus, request, 'index what is searched');
  }
  let found: FoundPassages | null = null;
  const contexts: AttemptInput['contexts'] = new Map();
  let looksMoreBroadly = false;
  let isBroadened = false;
  let toMendRef: ArtifactRef | null = null;
  let critique: CritiqueRefs | null =
    admitted.critiqueRef === null ? null : { critiqueRef: admitted.critiqueRef, passagesRef: null };
  for (let attempt = 1; attempt <= input.answers.maxAttempts; attempt += 1) {
    carried.attempts = attempt;
    if (found === null || looksMoreBroadly) {
      isBroadened = found !== null;
      found = await findPassages(run, admitted, { attempt, before: found, critique });
    }
    const { decided, ...ended }: AttemptResult = await runAttempt(run, {
      admitted,
      attempt,
      found,
      isBroadened,
      critique,
      contexts,
      toMendRef,
    });
    ({ toMendRef } = ended);
    await recordDecision(run, attempt, decided);
    if (decided.decision === 'end') break;
    looksMoreBroadly = decided.decision === 'broaden';
    critique = carried.critique ?? critique;
  }
  if (found !== null) {
    const context = contexts.get(found.passagesRef) ?? null;
    await judgeAnswer(run, { context });
  }
}

async function recordDecision(run: AnswerRun, attempt: number, decided: Decision): Promise<void> {
  run.carried.trace.push({ node: 'supervisor', attempt, ...decided });
  if (decided.decision === 'end') return;
  const key = eventKey({ pass: 0, step: 'decide', type: 'attempt', ordinal: attempt });
  const event = { type: 'attempt' as const, payload: { attempt, ...decided } };
  const request = { runId: run.input.runId, events: [{ key, event }] };
  await run.carryOut(
    shared.recordEvents,
    request,
    `attempt ${attempt} · ${decided.decision}: ${decided.reason}`,
  );
}

/** A permanent failure or a long outage becomes a warning, and the reply is built from the results so far. */
async function withPartialResult(run: AnswerRun, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isFailure = error instanceof ActivityFailure || error instanceof ApplicationFailure;
    if (!isFailure || isCancellation(error) || isInvalidInput(error)) throw error;
    const { carried } = run;
    const reason = failureReason(error);
    carried.failure = reason;
    const message = `The answer could not be finished (${reason}), ${'so the reply has what there was until then'}.`;
    carried.shortfalls.push(message);
    addWarnings(carried, [{ code: 'answer-failed', message }]);
  }
}

/** Validates and pins the input, and deletes the events of an earlier run with the same id. */
async function prepareAnswer(run: AnswerRun): Promise<AdmittedAnswer> {
  const { input, carried } = run;
  const { runId, kind, engine, history, historyRef: turnsRef, sourceCount, answers, critique } = input;
  const {
    observations,
    observationsRef,
    documents,
    manifestRef,
    finalOutput,
    finalOutputRef: outputRef,
  } = input;
  const request = {
    runId,
    engine,
    history,
    historyRef: turnsRef,
    maxHistory: answers.maxHistory,
    critique,
    observations,
    observationsRef,
    documents,
    manifestRef,
    sourceCount,
    finalOutput,
    finalOutputRef: outputRef,
    ...(input.search === undefined ? {} : { search: input.search }),
  };
  const admitted = await run.carryOut(answerActivities.admitAnswer, request, 'look at what it may rest on');
  if (admitted.problems.length > 0) throw invalidInput(kind, admitted.problems);
  const { stepVersions, promptsRef, formerLogBegunAt: begunAt } = admitted;
  // The run's facts share this object.
  if (Object.keys(input.stepVersions).length === 0) Object.assign(input.stepVersions, stepVersions);
  if (promptsRef !== null) run.usePrompts(promptsRef);
  addWarnings(carried, admitted.warnings);
  const { historyRef, finalOutputRef, observationCount } = admitted;
  carried.admitted = { historyRef, finalOutputRef, observationCount };
  if (begunAt !== null)
    await run.carryOut(shared.forgetFormerEvents, { runId, begunAt }, 'forget the run before');
  return admitted;
}

interface RevisionContext {
  context: TimedContext | null;
}

async function judgeAnswer(run: AnswerRun, writing: RevisionContext): Promise<void> {
  const { carried, input } = run;
  const { standing } = carried;
  if (input.judge?.enabled !== true || standing === null) return;
  carried.versions = [];
  await judgeAndRevise(run, {
    settings: input.judge,
    versions: carried.versions,
    first: standing,
    assemble: ({ n, text }) =>
      run.carryOut(
        answerActivities.assembleAnswer,
        replyRequest(run, text, 'completed'),
        `assemble version ${n}`,
      ),
    async revise({ text: judgedText, judged: { judgementRef } }, parts) {
      if (parts.length === 0) return null;
      const text = await orShortfall(
        run,
        () => mendJudgedText(run, writing, { ...judgedText, judgementRef }),
        () => undefined,
      );
      return text === null ? null : { text, revised: parts };
    },
  });
}

/** Returns null if nothing changed. The judge decides which text is better. */
async function mendJudgedText(
  run: AnswerRun,
  { context }: RevisionContext,
  { draftRef, passagesRef, judgementRef }: BestDraft & { judgementRef: ArtifactRef },
): Promise<BestDraft | null> {
  const { carried } = run;
  const attempt = carried.attempts + 1;
  const since = Date.now();
  const mended = await mendAnswer(run, { attempt, passagesRef, context, draftRef, judgementRef });
  if (mended === null) return null;
  carried.attempts = attempt;
  recordDraft(run, mended, since);
  const audited = await auditAnswer(run, mended, { attempt, passagesRef, instead: null, logicalGaps: [] });
  carried.trace.push(audited.telemetry);
  carried.critique = { critiqueRef: audited.critiqueRef, passagesRef };
  return { draftRef: audited.draftRef, passagesRef };
}

function recordDraft(
  { carried }: AnswerRun,
  { metrics, telemetry }: Pick<WrittenAnswer, 'metrics' | 'telemetry'>,
  startedAt: number,
): void {
  carried.measured.push({ metrics, telemetry, startedAt, endedAt: Date.now() });
  carried.trace.push(telemetry);
}

interface AttemptInput {
  admitted: AdmittedAnswer;
  attempt: number;
  found: FoundPassages;
  isBroadened: boolean;
  critique: CritiqueRefs | null;
  contexts: Map<ArtifactRef, TimedContext | null>;
  /** An audited text of the same passages to mend; null to write a new one. */
  toMendRef: ArtifactRef | null;
}

interface AttemptResult {
  decided: Decision;
  toMendRef: ArtifactRef | null;
}

/** The better of this text and the one before stays. */
async function runAttempt(run: AnswerRun, start: AttemptInput): Promise<AttemptResult> {
  const { carried, input } = run;
  const { admitted, attempt, found, isBroadened, contexts } = start;
  const facts = {
    attempt,
    maxAttempts: input.answers.maxAttempts,
    isBroadened,
    canBroaden: canBroaden(run, admitted, found),
    canRewrite: capabilitiesOf(input.engine).asksModels,
    isOverCompressed: false,
    audited: null,
  };
  if (found.passages === 0) return { decided: decideNext(facts), toMendRef: null };
  const since = Date.now();
  const context =
    contexts.get(found.passagesRef) ?? (await compressPassages(run, found, { attempt, isBroadened }));
  contexts.set(found.passagesRef, context);
  const isOverCompressed = isTooLittle(contextMetrics(context), input.answers.overCompressionBelow);
  carried.overCompression = isOverCompressed;
  const before = decideBeforeCritic({ ...facts, isOverCompressed });
  if (before !== null) {
    recordSkippedDraft(run, { attempt, context, since });
    return { decided: before, toMendRef: null };
  }
  const { claims, supported, needsRetry, isSufficient, auditedRef } = await writeAndAudit(
    run,
    start,
    context,
  );
  const audited = { claims, supported, needsRetry, isSufficient };
  const decided = decideNext({ ...facts, isOverCompressed, audited });
  const isToMend = decided.decision === 'rewrite' && supported > 0;
  return { decided, toMendRef: isToMend ? auditedRef : null };
}

function contextMetrics(
  context: TimedContext | null,
): Pick<AnswerMetrics, 'originalContextChars' | 'compressedContextChars'> {
  return {
    originalContextChars: context?.originalChars ?? 0,
    compressedContextChars: context?.compressedChars ?? 0,
  };
}

function recordSkippedDraft(
  { carried }: AnswerRun,
  { attempt, context, since }: { attempt: number; context: TimedContext | null; since: number },
): void {
  const metrics = answerMetrics({
    ...contextMetrics(context),
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
  { admitted: { historyRef }, attempt, found, critique, toMendRef }: AttemptInput,
  context: TimedContext | null,
): Promise<AuditedAnswer & Pick<WrittenAnswer, 'isSufficient'>> {
  const { carried } = run;
  const { passagesRef } = found;
  const since = Date.now();
  const mended =
    toMendRef === null ? null : await mendAnswer(run, { attempt, passagesRef, context, draftRef: toMendRef });
  const written = mended ?? (await writeAnswer(run, { attempt, found, context, historyRef, critique }));
  const { sourceDocuments } = written;
  if (sourceDocuments !== undefined)
    log.info('synthesis_mode_activated', { source_doc_count: sourceDocuments, attempt });
  recordDraft(run, written, since);
  const audited = await auditAnswer(run, written, {
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
