import type { ArtifactRef } from '../../contracts/run/artifact';
import type { MessageName } from '../../contracts/steering/messages';
import type { RunInput } from '../../contracts/run/run-input';
import { book } from '../../core/budget/budget-ledger';
import { createAsk } from './ask';
import { keepWarnings, type CarriedRun, resumeCarried } from './carried-run';
import { isLong, type Received } from './continue-as-new';
import { beginState } from './run-state';
import { type Kind, placesOf } from './kind';
import { takeSignal } from './handlers';
import { pauseSignal, resumeSignal } from './messages';
import { createOutages, type Outages } from './outages/outages';
import { createPassing } from './passing';
import { createPauseGate } from './gate/pause-gate';
import { createRecorder } from './publishing/record-run';
import type { Perform, Run } from './run';
import {
  answerSteeringQuery,
  PLAIN_MESSAGE,
  refuseOtherMessages,
  takeGeneralMessages,
} from './steering/general-messages';
import { createInbox } from './steering/inbox';
import { createSignals } from './steering/signals';
import { createPublisher } from './publishing/run-publisher';
import { createRunClock } from './gate/time-limit';

/** Takes up a run, its queries and signals; nothing is awaited before, so that none of them is missed. */
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
