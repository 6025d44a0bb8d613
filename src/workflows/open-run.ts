import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { RunFacts } from '../activities/ports';
import type { RecordEventsInput } from '../activities/publish-events';
import type { Spent } from '../activities/run-step';
import { book, isSpent } from '../contracts/budget';
import { QUOTING_ENGINE, traitsOf } from '../contracts/pipeline';
import type { MessageName, PassName, Warning } from '../contracts/run';
import type { RunInput } from '../contracts/run-input';
import { eventKey } from '../contracts/run-protocol';
import { failedSentence, type FailedStep } from '../contracts/run-status';
import type { ArtifactRef } from '../contracts/source';
import {
  answerSteeringQuery,
  createInbox,
  createSignals,
  type Inbox,
  PLAIN_MESSAGE,
  refuseOtherMessages,
  type Signals,
  takeGeneralMessages,
} from './inbox';
import { takeSignal } from './input';
import { pauseSignal, resumeSignal } from './messages';
import {
  createOutages,
  createPauseGate,
  createRunClock,
  type Outages,
  type PauseGate,
  type RunClock,
} from './outages';
import { createPublisher, createRecorder, type Recorder, type RunPublisher } from './publishing';
import {
  type Activity,
  type Ask,
  type AskModel,
  type Kind,
  type PassPlaces,
  type Perform,
  placesOf,
  type Run,
} from './run-definition';
import {
  beginState,
  type CarriedRun,
  enterPass,
  keepWarnings,
  resumeCarried,
  type RunState,
} from './run-state';
import {
  askingModels,
  failedStepTold,
  isRefusedRequest,
  isUnusableAnswer,
  LONG_HISTORY_BYTES,
  MESSAGES_A_HISTORY,
  MODEL_TURNS,
  UNTAKEN_TO_TELL,
  usageTold,
} from './steps';

const QUOTED = 'it was done by quoting instead';

/** Must be called before the first await, so that early messages find their handlers. */
export function openRun<Input extends RunInput, Carried extends CarriedRun, Facts extends object>(
  kind: Kind<Input, Carried, Facts>,
  input: Input,
  given: Carried | undefined,
): Run<Input, Carried, Facts> {
  const carried = resumeCarried<Carried>(() => kind.begin(), input, given);
  const places = placesOf(kind.passes);
  const state = beginState(places.unfinished(carried.finishedPasses));
  const passNumber = (): number => places.placeOf(state.pass).number;
  const named = (summary: string): string => `pass ${passNumber()} · ${summary}`;

  const gate = createPauseGate({
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
        carried.ledger = book(carried.ledger, state.pass, usage);
      },
    },
    () => carried.ledger.spent.outputTokens > 0,
  );
  const publisher = createPublisher({ kind, input, carried, state, gate, outages });
  const { runId } = input;
  const outlast: Outages['outlast'] = (attempt, options) => outages.outlast(attempt, options);
  const recorder = createRecorder({ runId, carried, named, outlast, place: passNumber, ...publisher });
  const inbox = createInbox(carried, (message, { id, said }) =>
    recorder.tellOnce({ type: 'steered', payload: { message, id, said } }, id),
  );
  const signals = createSignals((warning) => run.warn(warning));
  const received = (): Received => ({ updates: inbox.received, signals: signals.received });
  const passing = createPassing({
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

  const perform: Perform = async (activity, request, options) => {
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
  takeSignal(pauseSignal, [PLAIN_MESSAGE], signals, () => gate.pause(), plainly);
  const resume = (): void => {
    gate.resume();
    outages.tryNow();
  };
  takeSignal(resumeSignal, [PLAIN_MESSAGE], signals, resume, plainly);

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
    isCrowded: () => inbox.received + signals.received > 0 && isLong(input, received()),
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
      keepWarnings(carried, [warning]);
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
  const asking = createAsk({ run, named, perform, pass: () => state.pass });
  takeGeneralMessages(inbox, {
    kind: kind.name,
    gate,
    outages,
    hasEnded: () => state.special !== null,
  });
  const taken: MessageName[] = ['pause', 'resume'];
  if (kind.takeMessages === undefined) refuseOtherMessages(inbox, kind.name, taken);
  else kind.takeMessages(run);
  answerSteeringQuery(carried, () => kind.sourcesWaiting?.(carried, input) ?? 0);
  // A new history starts with an empty memo.
  if (given !== undefined) publisher.publish();
  return run;
}

function createPassing(run: {
  input: RunInput;
  carried: CarriedRun;
  state: RunState;
  places: PassPlaces;
  gate: PauseGate;
  clock: RunClock;
  recorder: Recorder;
  publisher: RunPublisher;
  inbox: Pick<Inbox, 'close' | 'idle' | 'waiting'>;
  signals: Pick<Signals, 'told'>;
  received: () => Received;
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
        return record(openingEvents(input, { number, name, message, round: carried.addedRounds }));
      }),
    );
  };
  const continueAsNewIfLong = (): Promise<void> =>
    goOnInNewHistory(
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

function openingEvents(
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

interface Received {
  updates: number;
  signals: number;
}

function isLong(input: Pick<RunInput, 'continueAsNewAfterEvents'>, { updates, signals }: Received): boolean {
  const { continueAsNewSuggested, historyLength, historySize } = workflowInfo();
  if (updates >= MESSAGES_A_HISTORY) return true;
  if (continueAsNewSuggested || historyLength >= (input.continueAsNewAfterEvents ?? Infinity)) return true;
  return signals >= MESSAGES_A_HISTORY || (historySize >= LONG_HISTORY_BYTES && updates + signals > 0);
}

async function goOnInNewHistory(
  input: RunInput,
  carried: CarriedRun,
  close: () => void,
  inbox: Pick<Inbox, 'close' | 'idle' | 'waiting'>,
  signals: Pick<Signals, 'told'>,
  received: Received,
): Promise<void> {
  if (!isLong(input, received)) return;
  // Updates are rejected from here on; accepted messages are applied first.
  inbox.close();
  do {
    await condition(allHandlersFinished);
    await inbox.idle();
    await signals.told();
  } while (inbox.waiting > 0);
  close();
  await continueAsNew<(input: RunInput, carried: CarriedRun) => Promise<unknown>>(input, carried);
}

function unusable({ step, reason, sources = [] }: FailedStep, message: string): Warning {
  const sourceIds = sources.map(({ id }) => id);
  return { code: 'model-unusable', message, fallback: { step, reason, sourceIds } };
}

/** No call starts once the budget is spent; steps quote then. Running calls may exceed the limit. */
function createAsk({
  run,
  named,
  perform,
  pass,
}: {
  run: Run;
  named: (summary: string) => string;
  perform: Perform;
  pass: () => PassName;
}): { ask: Ask; askModel: AskModel } {
  const { carried } = run;
  const { asksModels } = traitsOf(run.input.engine);
  const onModelQueue = {
    ...askingModels(),
    scheduleToStartTimeout: run.input.outages?.queueMs ?? UNTAKEN_TO_TELL,
  } as const;

  async function askOnce<Input extends { run: RunFacts }, Result extends Spent>(
    activity: Activity<Input, Result>,
    request: Input,
    { name, turn }: { name: string; turn: number },
  ): Promise<Result> {
    try {
      const asked = asksModels ? { ...request, run: { ...request.run, turn } } : request;
      const result = await perform(activity, asked, { summary: name, ...(asksModels ? onModelQueue : {}) });
      carried.ledger = book(carried.ledger, pass(), result.usage);
      keepWarnings(carried, result.warnings);
      return result;
    } catch (error) {
      const used = usageTold(error);
      if (used !== null) carried.ledger = book(carried.ledger, pass(), used);
      throw error;
    }
  }

  const askModel: AskModel = async (activity, request, summary, instead) => {
    const name = named(summary);
    const outcome = `${instead.slice(0, 1).toUpperCase()}${instead.slice(1)}.`;
    const failures: FailedStep[] = [];
    let calls = 0;
    for (const turn of MODEL_TURNS) {
      if (asksModels && isSpent(carried.ledger)) {
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
          await run.warn(unusable(failed, failedSentence(failed, name, 1, outcome)));
          break;
        }
        if (!isUnusableAnswer(error)) throw error;
        const failed: FailedStep = failedStepTold(error) ?? { step: name, reason: 'unreadable' };
        // Only consecutive failures with the same reason add up.
        if (failures.at(-1)?.reason !== failed.reason) calls = 0;
        const used = usageTold(error);
        calls += Math.max(1, (used?.calls ?? 0) + (used?.cachedCalls ?? 0));
        failures.push(failed);
        if (turn === MODEL_TURNS.at(-1))
          await run.warn(unusable(failed, failedSentence(failed, name, calls, outcome)));
        else
          await run.warn({
            code: 'model-unusable',
            message: failedSentence(failed, name, calls, 'It is asked again.'),
          });
      }
    }
    return null;
  };

  const ask: Ask = async (activity, request, summary, instead = QUOTED) => {
    const made = await askModel(activity, request, summary, instead);
    if (made !== null) return made;
    carried.quotedSteps += 1;
    const quoting = { ...request, run: { ...request.run, engine: QUOTING_ENGINE, models: null } };
    return run.carryOut(activity, quoting, `${summary} · without a model`);
  };
  return { ask, askModel };
}
