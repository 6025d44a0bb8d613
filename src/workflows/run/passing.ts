import type { PassName } from '../../contracts/kinds';
import type { RunInput } from '../../contracts/run/run-input';
import type { CarriedRun } from './carried-run';
import { goOnInNewHistory, type Received } from './continue-as-new';
import { enterPass, type RunState } from './run-state';
import type { PassPlaces } from './kind';
import type { Inbox } from './steering/inbox';
import type { Signals } from './steering/signals';
import type { PauseGate } from './gate/pause-gate';
import type { Recorder } from './publishing/record-run';
import type { Run } from './run';
import type { RunPublisher } from './publishing/run-publisher';
import type { RunClock } from './gate/time-limit';
import type { RecordEventsInput } from '../../activities/shared/record-events';
import { eventKey } from '../../core/run/event-key';

export function createPassing(run: {
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
