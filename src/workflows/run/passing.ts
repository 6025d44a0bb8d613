import type { PassName } from '../../contracts/kinds';
import type { RunInput } from '../../contracts/run/run-input';
import type { CarriedRun } from './carried-run';
import { goOnInNewHistory, type Received } from './continue-as-new';
import { enterPass, type RunState } from './run-state';
import { openingEvents } from './publishing/opening-events';
import type { PassPlaces } from './pass-places';
import type { Inbox } from './steering/inbox';
import type { PauseGate } from './gate/pause-gate';
import type { Recorder } from './publishing/record-run';
import type { Run } from './run';
import type { RunPublisher } from './publishing/run-publisher';
import type { RunClock } from './gate/time-limit';

/** How a run goes from pass to pass, and from history to history. */
export function createPassing(run: {
  input: RunInput;
  carried: CarriedRun;
  state: RunState;
  places: PassPlaces;
  gate: PauseGate;
  clock: RunClock;
  recorder: Recorder;
  publisher: RunPublisher;
  inbox: Pick<Inbox, 'close' | 'idle'>;
  received: () => Received;
}): Pick<Run, 'pass' | 'continueAsNewIfLong'> {
  const { input, carried, state, places, gate, clock, recorder, publisher, inbox, received } = run;

  const countTime = (of: PassName): void => {
    carried.passMs[of] = (carried.passMs[of] ?? 0) + Date.now() - state.passSince;
  };
  /** Tells everyone that a pass begins. */
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
        return record(openingEvents(input, { number, name, message: publisher.messageOf(name) }));
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
