import type {
  MessageName,
  PlainMessage,
  SetBudget,
  SteeringAnswer,
} from '../../../contracts/steering/messages';
import plainMessage from '../../../contracts/schemas/plain-message.json';
import setBudget from '../../../contracts/schemas/set-budget.json';
import { withArticle } from '../../../core/writing/with-article';
import { withLimits } from '../../../core/budget/with-limits';
import type { RunKind } from '../../../contracts/kinds';
import type { CarriedRun } from '../carried-run';
import type { PauseGate } from '../gate/pause-gate';
import type { RunClock } from '../gate/time-limit';
import type { JsonSchema } from '../../../core/shapes/json-schema';
import { answerQuery } from '../handlers';
import { steeringQuery } from '../messages';
import type { Outages } from '../outages/outages';
import type { Inbox } from './inbox';
import type { BudgetLimits } from '../../../contracts/run/run-input';
import type { BudgetLedger } from '../../../core/budget/budget-ledger';

/** The schemas are made of contracts; a test holds that they have no keyword that is not known. */
export const PLAIN_MESSAGE = plainMessage as JsonSchema;
const SET_BUDGET = setBudget as JsonSchema;

/** Registers what every run takes: `pause`, `resume`, `setBudget`; and says of the others that this one does not take them. */
export function takeGeneralMessages(
  inbox: Inbox,
  run: {
    kind: RunKind;
    carried: CarriedRun;
    gate: PauseGate;
    clock: RunClock;
    outages: Pick<Outages, 'parked' | 'tryNow'>;
    hasEnded: () => boolean;
    /** What is set aside for later calls, and the most of a limit that it may be. */
    funds: { names: readonly string[]; share: number };
    publish: () => void;
  },
): void {
  const { kind, carried, gate, clock, outages, funds } = run;
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
    isNeeded: isHeld,
    refusal,
    apply: () => {
      const wasStill = isHeld();
      gate.resume();
      outages.tryNow();
      return { said: wasStill ? 'It goes on.' : 'It was not paused.' };
    },
  });
  inbox.take<SetBudget>('setBudget', {
    schema: SET_BUDGET,
    refusal: (message) =>
      refusal() ??
      (Object.keys(changedLimits(message)).length === 0
        ? 'setBudget sets nothing: give maxTokens, maxCostUsd or maxTimeMs, each a number, or null for no limit.'
        : null),
    apply: (message) => {
      carried.ledger = withLimits(carried.ledger, changedLimits(message), funds);
      run.publish();
      return { said: saidOfBudget(carried.ledger, clock.activeMs()) };
    },
  });
}

/** All of them, which the compiler holds to be so: the contract itself is too much for the sandbox. */
const NAMES: Record<MessageName, true> = {
  setOutline: true,
  approveOutline: true,
  addSources: true,
  setBudget: true,
  pause: true,
  resume: true,
};

/** Of the messages that the kind has not registered. */
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

/** Answers the query for what was steered. */
export function answerSteeringQuery(
  carried: CarriedRun & { approval?: { leftMs: number; isAwaited: boolean } },
  sourcesWaiting: () => number,
): void {
  answerQuery(steeringQuery, (): SteeringAnswer => ({
    applied: { ...carried.appliedCounts },
    limits: { ...carried.ledger.limits },
    approval: carried.approval?.isAwaited === true ? { leftMs: carried.approval.leftMs } : null,
    sourcesWaiting: sourcesWaiting(),
    idleSignals: { refused: 0, ignored: 0, ...carried.idleSignals },
  }));
}

/** A limit of null is taken away; one that is absent stays. */
type LimitChanges = { [Name in keyof BudgetLimits]?: BudgetLimits[Name] | null };

function changedLimits({ maxTokens, maxCostUsd, maxTimeMs }: SetBudget): LimitChanges {
  return {
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxCostUsd === undefined ? {} : { maxCostUsd }),
    ...(maxTimeMs === undefined ? {} : { maxTimeMs }),
  };
}

/** The limits that hold now, and what follows where they are below what was spent. */
function saidOfBudget({ limits, spent }: BudgetLedger, activeMs: number): string {
  const { maxTokens, maxCostUsd, maxTimeMs } = limits;
  const told = [
    ...(maxTokens === undefined ? [] : [`${maxTokens} tokens`]),
    ...(maxCostUsd === undefined ? [] : [`$${maxCostUsd}`]),
    ...(maxTimeMs === undefined ? [] : [`${Math.ceil(maxTimeMs / 60_000)} min`]),
  ];
  const tokens = spent.inputTokens + spent.outputTokens;
  const isSpent =
    (maxTokens !== undefined && tokens >= maxTokens) ||
    (maxCostUsd !== undefined && spent.costUsd >= maxCostUsd);
  return [
    told.length === 0 ? 'There is no limit now.' : `The limits are now: ${told.join(', ')}.`,
    ...(isSpent ? ['That is spent already: no model is asked any more, and the rest is quoted.'] : []),
    ...(maxTimeMs !== undefined && activeMs >= maxTimeMs
      ? ['The time is over already: it ends with what it has.']
      : []),
  ].join(' ');
}
