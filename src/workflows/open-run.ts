import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { RunContext } from '../activities/ports';
import type { RecordEventsInput } from '../activities/publish-events';
import type { UsageAndWarnings } from '../activities/run-step';
import { isOverBudget, recordUsage } from '../contracts/budget';
import { capabilitiesOf, QUOTING_ENGINE } from '../contracts/pipeline';
import type { MessageName, PassName, Warning } from '../contracts/run';
import type { RunInput } from '../contracts/run-input';
import { eventKey } from '../contracts/run-protocol';
import { failedSentence, type FailedStep } from '../contracts/run-status';
import type { ArtifactRef } from '../contracts/source';
import {
  createInbox,
  createSignals,
  handlePauseMessages,
  handleSteeringQuery,
  type Inbox,
  PLAIN_MESSAGE_SCHEMA,
  rejectOtherMessages,
  type Signals,
} from './inbox';
import { onSignal } from './input';
import { pauseSignal, resumeSignal } from './messages';
import {
  createOutages,
  createPauseController,
  createRunClock,
  type Outages,
  type PauseController,
  type RunClock,
} from './outages';
import { createEventRecorder, createPublisher, type EventRecorder, type RunPublisher } from './publishing';
import {
  type Activity,
  type Ask,
  type AskModel,
  type PassPositions,
  passPositions,
  type Run,
  type RunActivity,
  type RunDefinition,
} from './run-definition';
import {
  addWarnings,
  enterPass,
  type HistoryState,
  initialHistoryState,
  restoreState,
  type WorkflowState,
} from './run-state';
import {
  failedModelStep,
  failureUsage,
  isRefusedRequest,
  isUnusableAnswer,
  LONG_HISTORY_BYTES,
  MAX_MESSAGES_PER_HISTORY,
  MODEL_TURNS,
  modelOptions,
  WORKER_WAIT_TIMEOUT,
} from './steps';

const QUOTE_FALLBACK = 'it was done by quoting instead';

/** Must be called before the first await, so that early messages find their handlers. */
export function openRun<Input extends RunInput, Carried extends WorkflowState, Facts extends object>(
  kind: RunDefinition<Input, Carried, Facts>,
  input: Input,
  given: Carried | undefined,
): Run<Input, Carried, Facts> {
  const carried = restoreState<Carried>(() => kind.begin(), input, given);
  const places = passPositions(kind.passes);
  const state = initialHistoryState(places.unfinished(carried.finishedPasses));
  const passNumber = (): number => places.placeOf(state.pass).number;
  const named = (summary: string): string => `pass ${passNumber()} · ${summary}`;

  const gate = createPauseController({
    paused: carried.paused,
    onChange: () => {
      carried.paused = gate.paused;
      if (gate.paused) carried.pausedSince ??= new Date().toISOString();
      else delete carried.pausedSince;
      settleClock();
      publisher.publish();
    },
  });
  const isStill = (): boolean => gate.paused || state.approvalSince !== null;
  const clock = createRunClock(isStill, {
    limitMs: () => carried.ledger.limits.maxTimeMs,
    activeMs: carried.activeMs,
  });
  const settleClock = (): void => (isStill() ? clock.stop() : clock.start());
  const outages = createOutages(
    input.outages,
    gate,
    {
      onChange: () => recorder.tellOutage(outages),
      onSpent: (usage) => {
        carried.ledger = recordUsage(carried.ledger, state.pass, usage);
      },
    },
    () => carried.ledger.spent.outputTokens > 0,
  );
  const publisher = createPublisher({ kind, input, carried, state, gate, outages });
  const { runId } = input;
  const outlast: Outages['outlast'] = (attempt, options) => outages.outlast(attempt, options);
  const recorder = createEventRecorder({ runId, carried, named, outlast, place: passNumber, ...publisher });
  const inbox = createInbox(carried, (message, { id, said }) =>
    recorder.tellOnce({ type: 'steered', payload: { message, id, said } }, id),
  );
  const signals = createSignals((warning) => run.warn(warning));
  const received = (): MessageCounts => ({ updates: inbox.received, signals: signals.received });
  const passing = createPassRunner({
    input,
    carried,
    state,
    places,
    gate,
    clock,
    recorder,
    publisher,
    inbox,
    signals,
    received,
  });

  const perform: RunActivity = async (activity, request, options) => {
    const result = await outlast((trial) =>
      gate.pass(() => activity.executeWithOptions({ ...options, ...trial }, [request])),
    );
    state.parts.done += 1;
    publisher.refresh();
    return result;
  };

  publisher.answerQueries();
  kind.answerQueries(carried);
  const plainly = { mayBeBare: true };
  onSignal(pauseSignal, [PLAIN_MESSAGE_SCHEMA], signals, () => gate.pause(), plainly);
  const resume = (): void => {
    gate.resume();
    outages.tryNow();
  };
  onSignal(resumeSignal, [PLAIN_MESSAGE_SCHEMA], signals, resume, plainly);

  const facts = kind.facts(input, carried);
  const usePrompts = (promptsRef: ArtifactRef): void => {
    carried.promptsRef = promptsRef;
    Object.assign(facts, { promptsRef });
  };
  if (carried.promptsRef !== undefined) usePrompts(carried.promptsRef);

  const run: Run<Input, Carried, Facts> = {
    input,
    facts,
    usePrompts,
    carried,
    clock,
    lastPassNumber: places.lastNumber,
    placeOf: (pass) => places.placeOf(pass),
    unfinishedPass: () => places.unfinished(carried.finishedPasses),
    hasFindings: () => kind.hasFindings(carried),
    ...passing,
    inbox,
    signals,
    isCrowded: () => inbox.received + signals.received > 0 && isHistoryLong(input, received()),
    tellOnce: (event, ordinal) => recorder.tellOnce(event, ordinal),
    outagesTold: () => recorder.outagesTold(),
    publish: () => publisher.publish(),
    get isPaused() {
      return gate.paused;
    },
    async awaitingApproval(work) {
      const stand = (awaits: boolean): void => {
        state.approvalSince = awaits ? new Date().toISOString() : null;
        settleClock();
        publisher.publish();
      };
      stand(true);
      try {
        await work();
      } finally {
        stand(false);
      }
    },
    plan(of, done = 0) {
      state.parts = { done, of };
      publisher.refresh();
    },
    planSources(of, read) {
      state.sources = { read, of };
      publisher.refresh();
    },
    finishSources(amount) {
      if (state.sources === null) return;
      state.sources.read += amount;
      publisher.refresh();
    },
    finishPiece(id) {
      state.donePieces.push(id);
      publisher.refresh();
    },
    carryOut: (activity, request, summary) => perform(activity, request, { summary: named(summary) }),
    ask: (...asked) => asking.ask(...asked),
    askModel: (...asked) => asking.askModel(...asked),
    outlast,
    async warn(warning) {
      addWarnings(carried, [warning]);
      await recorder.warn(warning);
    },
    async addShortfall(sentence) {
      if (!carried.shortfalls.includes(sentence)) carried.shortfalls.push(sentence);
      await run.warn({ code: 'pass-failed', message: sentence });
    },
    setStatus(next) {
      state.special = next;
      publisher.publish();
    },
    end(next, facts = []) {
      state.facts = facts;
      run.setStatus(next);
    },
  };
  const asking = createModelCalls({ run, named, perform, pass: () => state.pass });
  handlePauseMessages(inbox, {
    kind: kind.name,
    gate,
    outages,
    hasEnded: () => state.special !== null,
  });
  const taken: MessageName[] = ['pause', 'resume'];
  if (kind.takeMessages === undefined) rejectOtherMessages(inbox, kind.name, taken);
  else kind.takeMessages(run);
  handleSteeringQuery(carried, () => kind.sourcesWaiting?.(carried, input) ?? 0);
  // A new history starts with an empty memo.
  if (given !== undefined) publisher.publish();
  return run;
}

function createPassRunner(run: {
  input: RunInput;
  carried: WorkflowState;
  state: HistoryState;
  places: PassPositions;
  gate: PauseController;
  clock: RunClock;
  recorder: EventRecorder;
  publisher: RunPublisher;
  inbox: Pick<Inbox, 'close' | 'idle' | 'waiting'>;
  signals: Pick<Signals, 'told'>;
  received: () => MessageCounts;
}): Pick<Run, 'pass' | 'continueAsNewIfLong'> {
  const { input, carried, state, places, gate, clock, recorder, publisher, inbox, signals, received } = run;

  const countTime = (of: PassName): void => {
    carried.passMs[of] = (carried.passMs[of] ?? 0) + Date.now() - state.passSince;
  };
  const enter = async (name: PassName): Promise<void> => {
    let hasBegun = false;
    await recorder.record('begins', (record) =>
      gate.pass(() => {
        if (!hasBegun) {
          hasBegun = true;
          enterPass(state, name);
          publisher.publish();
        }
        const { number } = places.placeOf(name);
        const message = publisher.messageOf(name);
        return record(passStartEvents(input, { number, name, message, round: carried.addedRounds }));
      }),
    );
  };
  const continueAsNewIfLong = (): Promise<void> =>
    continueInNewHistory(
      input,
      carried,
      () => {
        if (!carried.finishedPasses.includes(state.pass)) countTime(state.pass);
        carried.activeMs = clock.activeMs();
      },
      inbox,
      signals,
      received(),
    );
  return {
    async pass(name, work, kept) {
      if (carried.finishedPasses.includes(name)) return kept();
      await enter(name);
      const made = await work();
      carried.finishedPasses.push(name);
      countTime(name);
      if (name !== places.last) await continueAsNewIfLong();
      return made;
    },
    continueAsNewIfLong,
  };
}

function passStartEvents(
  input: RunInput,
  pass: { number: number; name: PassName; message: string; round: number | undefined },
): RecordEventsInput['events'] {
  const { number, name, message, round } = pass;
  const phase = {
    key: eventKey({ pass: number, step: 'run', type: 'multi-pass-phase', ordinal: round }),
    event: { type: 'multi-pass-phase' as const, payload: { pass: number, name, message } },
  };
  if (number > 0) return [phase];
  const { kind, question, engine, sourceCount: sources } = input;
  const started = { type: 'run-started' as const, payload: { kind, question, engine, sources } };
  return [{ key: eventKey({ pass: number, step: 'run', type: 'run-started' }), event: started }, phase];
}

interface MessageCounts {
  updates: number;
  signals: number;
}

function isHistoryLong(
  input: Pick<RunInput, 'continueAsNewAfterEvents'>,
  { updates, signals }: MessageCounts,
): boolean {
  const { continueAsNewSuggested, historyLength, historySize } = workflowInfo();
  if (updates >= MAX_MESSAGES_PER_HISTORY) return true;
  if (continueAsNewSuggested || historyLength >= (input.continueAsNewAfterEvents ?? Infinity)) return true;
  return signals >= MAX_MESSAGES_PER_HISTORY || (historySize >= LONG_HISTORY_BYTES && updates + signals > 0);
}

async function continueInNewHistory(
  input: RunInput,
  carried: WorkflowState,
  close: () => void,
  inbox: Pick<Inbox, 'close' | 'idle' | 'waiting'>,
  signals: Pick<Signals, 'told'>,
  received: MessageCounts,
): Promise<void> {
  if (!isHistoryLong(input, received)) return;
  // Updates are rejected from here on; accepted messages are applied first.
  inbox.close();
  do {
    await condition(allHandlersFinished);
    await inbox.idle();
    await signals.told();
  } while (inbox.waiting > 0);
  close();
  await continueAsNew<(input: RunInput, carried: WorkflowState) => Promise<unknown>>(input, carried);
}

function unusableWarning({ step, reason, sources = [] }: FailedStep, message: string): Warning {
  const sourceIds = sources.map(({ id }) => id);
  return { code: 'model-unusable', message, fallback: { step, reason, sourceIds } };
}

/** No call starts once the budget is spent; steps quote then. Running calls may exceed the limit. */
function createModelCalls({
  run,
  named,
  perform,
  pass,
}: {
  run: Run;
  named: (summary: string) => string;
  perform: RunActivity;
  pass: () => PassName;
}): { ask: Ask; askModel: AskModel } {
  const { carried } = run;
  const { asksModels } = capabilitiesOf(run.input.engine);
  const onModelQueue = {
    ...modelOptions(),
    scheduleToStartTimeout: run.input.outages?.queueMs ?? WORKER_WAIT_TIMEOUT,
  } as const;

  async function askOnce<Input extends { run: RunContext }, Result extends UsageAndWarnings>(
    activity: Activity<Input, Result>,
    request: Input,
    { name, turn }: { name: string; turn: number },
  ): Promise<Result> {
    try {
      const asked = asksModels ? { ...request, run: { ...request.run, turn } } : request;
      const result = await perform(activity, asked, { summary: name, ...(asksModels ? onModelQueue : {}) });
      carried.ledger = recordUsage(carried.ledger, pass(), result.usage);
      addWarnings(carried, result.warnings);
      return result;
    } catch (error) {
      const used = failureUsage(error);
      if (used !== null) carried.ledger = recordUsage(carried.ledger, pass(), used);
      throw error;
    }
  }

  const askModel: AskModel = async (activity, request, summary, instead) => {
    const name = named(summary);
    const outcome = `${instead.slice(0, 1).toUpperCase()}${instead.slice(1)}.`;
    const failures: FailedStep[] = [];
    let calls = 0;
    for (const turn of MODEL_TURNS) {
      if (asksModels && isOverBudget(carried.ledger)) {
        await run.warn({
          code: 'budget',
          message: `The budget is spent, so no model is asked for ${name}; ${instead}.`,
          fallback: { step: failures.at(-1)?.step ?? name, reason: 'budget', sourceIds: [] },
        });
        break;
      }
      try {
        return await askOnce(activity, request, { name, turn });
      } catch (error) {
        if (!asksModels) throw error;
        if (isRefusedRequest(error)) {
          const failed: FailedStep = { step: failures.at(-1)?.step ?? name, reason: 'refused' };
          await run.warn(unusableWarning(failed, failedSentence(failed, name, 1, outcome)));
          break;
        }
        if (!isUnusableAnswer(error)) throw error;
        const failed: FailedStep = failedModelStep(error) ?? { step: name, reason: 'unreadable' };
        // Only consecutive failures with the same reason add up.
        if (failures.at(-1)?.reason !== failed.reason) calls = 0;
        const used = failureUsage(error);
        calls += Math.max(1, (used?.calls ?? 0) + (used?.cachedCalls ?? 0));
        failures.push(failed);
        if (turn === MODEL_TURNS.at(-1))
          await run.warn(unusableWarning(failed, failedSentence(failed, name, calls, outcome)));
        else
          await run.warn({
            code: 'model-unusable',
            message: failedSentence(failed, name, calls, 'It is asked again.'),
          });
      }
    }
    return null;
  };

  const ask: Ask = async (activity, request, summary, instead = QUOTE_FALLBACK) => {
    const made = await askModel(activity, request, summary, instead);
    if (made !== null) return made;
    carried.quotedSteps += 1;
    const quoting = { ...request, run: { ...request.run, engine: QUOTING_ENGINE, models: null } };
    return run.carryOut(activity, quoting, `${summary} · without a model`);
  };
  return { ask, askModel };
}
