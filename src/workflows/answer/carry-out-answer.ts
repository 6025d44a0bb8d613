import type { AdmittedAnswer } from '../../activities/answer/admit-answer';
import type { ToldCritique } from '../../activities/answer/write-answer';
import { computing, activities } from './activities';
import type { AnswerRun, StandingDraft } from './carried-answer';
import { carryOutAttempt, type AttemptStart } from './attempt';
import { findPassages, type FoundPassages } from './find-passages';
import type { Decision } from '../../answers/decide-next';
import { eventKey } from '../../core/run/event-key';
import { activities as shared } from '../run/activities';
import { ActivityFailure, ApplicationFailure, isCancellation } from '@temporalio/workflow';
import { keepWarnings } from '../run/carried-run';
import { isInvalidInput, invalidInput } from '../run/invalid-input';
import { reasonOf, orShortfall } from '../run/shortfall';
import type { ArtifactRef } from '../../contracts/run/artifact';
import { judgeAndRevise } from '../run/judging/judge-and-revise';
import { audit, writeAnew, type Context } from './attempt-steps';
import { replyRequest } from './reply-request';
import { withFound } from './search-sources';

/** What it may rest on, then attempts until one stands or none is left; whatever fails, the reply is made of what there is. */
export async function carryOutAnswer(run: AnswerRun): Promise<void> {
  await orWithWhatThereIs(run, async () => {
    const admitted = await admit(run);
    await run.pass(
      'answer',
      async () => carryOutAttempts(run, await withFound(run, admitted)),
      () => undefined,
    );
  });
}

/** Each attempt reads what the first has found, or what was looked for more broadly, and knows what was wrong before. */
async function carryOutAttempts(run: AnswerRun, admitted: AdmittedAnswer): Promise<void> {
  const { carried, input } = run;
  if (admitted.manifestRef === null && admitted.given === 0) return; // there is nothing to look in
  if (admitted.manifestRef !== null && !admitted.isIndexed) {
    const request = { run: run.facts, manifestRef: admitted.manifestRef };
    await run.carryOut(computing.indexCorpus, request, 'index what is searched');
  }
  let found: FoundPassages | null = null;
  const contexts: AttemptStart['contexts'] = new Map();
  let looksMoreBroadly = false;
  let isBroadened = false;
  let critique: ToldCritique | null =
    admitted.critiqueRef === null ? null : { critiqueRef: admitted.critiqueRef, passagesRef: null };
  for (let attempt = 1; attempt <= input.answers.maxAttempts; attempt += 1) {
    carried.attempts = attempt;
    if (found === null || looksMoreBroadly) {
      isBroadened = found !== null;
      found = await findPassages(run, admitted, { attempt, before: found, critique });
    }
    const decided = await carryOutAttempt(run, {
      admitted,
      attempt,
      found,
      isBroadened,
      critique,
      contexts,
    });
    await tellDecision(run, attempt, decided);
    if (decided.decision === 'end') break;
    looksMoreBroadly = decided.decision === 'broaden';
    critique = carried.critique ?? critique;
  }
  if (found !== null) {
    const context = contexts.get(found.passagesRef) ?? null;
    await judgeAnswer(run, { admitted, found, context });
  }
}

/** Notes what comes behind an attempt; that it was the last is told with the reply. */
async function tellDecision(run: AnswerRun, attempt: number, decided: Decision): Promise<void> {
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

/**
 * Does the work; where it fails for good, or what it needs is away for longer than somebody waits for an answer, keeps why: the
 * reply is made of what there is.
 */
async function orWithWhatThereIs(run: AnswerRun, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isFailure = error instanceof ActivityFailure || error instanceof ApplicationFailure;
    if (!isFailure || isCancellation(error) || isInvalidInput(error)) throw error;
    const { carried } = run;
    const reason = reasonOf(error);
    carried.failure = reason;
    const message = `The answer could not be finished (${reason}), ${'so the reply has what there was until then'}.`;
    carried.shortfalls.push(message);
    keepWarnings(carried, [{ code: 'answer-failed', message }]);
  }
}

/**
 * Before anything is done for an answer: what it may rest on is stored and looked at, so that whoever gave something else is
 * told at once; the step versions are pinned where it came without, and the prompts that its steps have elsewhere; and what an earlier run of
 * the same id told is forgotten.
 */
async function admit(run: AnswerRun): Promise<AdmittedAnswer> {
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
  const admitted = await run.carryOut(activities.admitAnswer, request, 'look at what it may rest on');
  if (admitted.problems.length > 0) throw invalidInput(kind, admitted.problems);
  const { stepVersions, promptsRef, formerLogBegunAt: begunAt } = admitted;
  // The run's facts have the same record.
  if (Object.keys(input.stepVersions).length === 0) Object.assign(input.stepVersions, stepVersions);
  if (promptsRef !== null) run.usePrompts(promptsRef);
  keepWarnings(carried, admitted.warnings);
  const { historyRef, finalOutputRef, observationCount } = admitted;
  carried.admitted = { historyRef, finalOutputRef, observationCount };
  if (begunAt !== null)
    await run.carryOut(shared.forgetFormerEvents, { runId, begunAt }, 'forget the run before');
  return admitted;
}

interface Writing {
  admitted: AdmittedAnswer;
  found: FoundPassages;
  context: Context | null;
}

async function judgeAnswer(run: AnswerRun, writing: Writing): Promise<void> {
  const { carried, input } = run;
  const { standing } = carried;
  if (input.judge?.enabled !== true || standing === null) return;
  carried.versions = [];
  await judgeAndRevise(run, {
    settings: input.judge,
    versions: carried.versions,
    first: standing,
    assemble: ({ n, text }) =>
      run.carryOut(activities.assembleAnswer, replyRequest(run, text, 'completed'), `assemble version ${n}`),
    wanting: () => [],
    async revise({ judged: { judgementRef } }, parts) {
      const text = await orShortfall(
        run,
        () => writtenAnew(run, writing, judgementRef),
        () => undefined,
      );
      return text === null ? null : { text, revised: parts };
    },
  });
}

/** As another attempt is; which text is the better one the judge says. Null where nothing came of it. */
async function writtenAnew(
  run: AnswerRun,
  { admitted: { historyRef }, found, context }: Writing,
  judgementRef: ArtifactRef,
): Promise<StandingDraft | null> {
  const { carried } = run;
  const { passagesRef } = found;
  const attempt = carried.attempts + 1;
  const since = Date.now();
  const { critique } = carried;
  const written = await writeAnew(run, { attempt, found, context, historyRef, critique, judgementRef });
  if (written === null) return null;
  carried.attempts = attempt;
  const { metrics, telemetry } = written;
  carried.measured.push({ metrics, telemetry, startedAt: since, endedAt: Date.now() });
  carried.trace.push(telemetry);
  const audited = await audit(run, written, { attempt, passagesRef, instead: null, logicalGaps: [] });
  carried.trace.push(audited.telemetry);
  carried.critique = { critiqueRef: audited.critiqueRef, passagesRef };
  return { draftRef: audited.draftRef, passagesRef };
}
