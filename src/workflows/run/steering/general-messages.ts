import type { MessageName, PlainMessage, SteeringAnswer } from '../../../contracts/steering/messages';
import plainMessage from '../../../contracts/schemas/plain-message.json';
import { withArticle } from '../../../core/writing/with-article';
import type { RunKind } from '../../../contracts/kinds';
import type { CarriedRun } from '../carried-run';
import type { PauseGate } from '../gate/pause-gate';
import type { JsonSchema } from '../../../core/shapes/json-schema';
import { answerQuery } from '../handlers';
import { steeringQuery } from '../messages';
import type { Outages } from '../outages/outages';
import type { Inbox } from './inbox';

/** The schemas are made of contracts; a test holds that they have no keyword that is not known. */
export const PLAIN_MESSAGE = plainMessage as JsonSchema;

export function takeGeneralMessages(
  inbox: Inbox,
  run: {
    kind: RunKind;
    gate: PauseGate;
    outages: Pick<Outages, 'parked' | 'tryNow'>;
    hasEnded: () => boolean;
  },
): void {
  const { kind, gate, outages } = run;
  const refusal = (): string | null =>
    run.hasEnded() ? `The ${kind} is ending, so there is nothing left to steer.` : null;
  inbox.take<PlainMessage>('pause', {
    schema: PLAIN_MESSAGE,
    refusal,
    apply: () => {
      const wasPaused = gate.paused;
      gate.pause();
      return { said: wasPaused ? 'It was paused already.' : 'It is paused: nothing new begins.' };
    },
  });
  const isHeld = (): boolean => gate.paused || outages.parked !== null;
  inbox.take<PlainMessage>('resume', {
    schema: PLAIN_MESSAGE,
    refusal,
    apply: () => {
      const wasStill = isHeld();
      gate.resume();
      outages.tryNow();
      return { said: wasStill ? 'It goes on.' : 'It was not paused.' };
    },
  });
}

/** All of them, which the compiler holds to be so: the contract itself is too much for the sandbox. */
const NAMES: Record<MessageName, true> = {
  setOutline: true,
  approveOutline: true,
  addSources: true,
  pause: true,
  resume: true,
};

export function refuseOtherMessages(inbox: Inbox, kind: RunKind, taken: readonly MessageName[]): void {
  for (const name of Object.keys(NAMES) as MessageName[]) {
    if (taken.includes(name)) continue;
    inbox.take(name, {
      schema: {},
      refusal: () =>
        `${withArticle(kind).replace(/^a/, 'A')} takes no ${name}: only a report does. What it takes is ${taken.join(', ')}.`,
      apply: () => ({ said: '' }),
    });
  }
}

export function answerSteeringQuery(
  carried: CarriedRun & { approval?: { leftMs: number; isAwaited: boolean } },
  sourcesWaiting: () => number,
): void {
  answerQuery(steeringQuery, (): SteeringAnswer => ({
    applied: { ...carried.appliedCounts },
    approval: carried.approval?.isAwaited === true ? { leftMs: carried.approval.leftMs } : null,
    sourcesWaiting: sourcesWaiting(),
  }));
}
