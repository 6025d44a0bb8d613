import { ApplicationFailure, CancellationScope, condition } from '@temporalio/workflow';
import type {
  MessageName,
  MessageResult,
  PlainMessage,
  RunKind,
  SteeringAnswer,
  Warning,
} from '../contracts/run';
import plainMessage from '../contracts/schemas/plain-message.json';
import { isRecord } from '../lib/json';
import type { JsonSchema } from '../lib/json-schema';
import { withArticle } from '../lib/strings';
import { onQuery, onUpdate, rejectedMessage, type SignalListener } from './input';
import { HISTORY_ENDING, MESSAGE_ID_REUSED, messageUpdate, steeringQuery } from './messages';
import type { Outages, PauseController } from './outages';
import type { AppliedMessage, WorkflowState } from './run-state';
import { MAX_MESSAGES_PER_HISTORY, MAX_REFUSAL_WARNINGS, MAX_REMEMBERED_MESSAGES } from './steps';

export interface MessageHandler<Message> {
  schema: JsonSchema;
  /** Why the message cannot be accepted now, as a sentence; null if it can. Has no side effects. */
  refusal(message: Message): string | null;
  apply(message: Message): Promise<AppliedMessage['result']> | AppliedMessage['result'];
}

/** Validates each incoming message, and applies it once per id. */
export interface Inbox {
  /** Registers a handler. Must be called before the first await, so that early updates find it. */
  take<Message extends { id: string }>(name: MessageName, taking: MessageHandler<Message>): void;
  /** Receives a validated message from a signal. Throws as the update would. */
  receive(name: MessageName, message: { id: string }): Promise<MessageResult>;
  /** Rejects further updates before continue-as-new; senders are asked to send again. */
  close(): void;
  /** Resolves when all messages received so far are applied. Does not wait for later ones. */
  idle(): Promise<void>;
  readonly received: number;
  readonly waiting: number;
}

const SEND_AGAIN = 'The run goes on in a new history at this moment: send the message again.';

interface PendingMessage extends Pick<AppliedMessage, 'name' | 'mark'> {
  work: Promise<AppliedMessage['result']>;
}

export function createInbox(
  carried: WorkflowState,
  onApplied: (name: MessageName, result: MessageResult) => Promise<void>,
): Inbox {
  const takings = new Map<MessageName, MessageHandler<{ id: string }>>();
  const underWay = new Map<string, PendingMessage>();
  let received = 0;
  let isClosed = false;
  const handled = new Set<object>();

  function check(name: MessageName, message: { id: string }): void {
    const taking = takings.get(name);
    if (taking === undefined) throw rejectedMessage(`This run takes no ${name}.`);
    if (previousResult(carried, name, message) !== null) return;
    const before = underWay.get(message.id);
    if (before !== undefined) {
      rejectReusedId(before, name, message);
      return;
    }
    const refusal = taking.refusal(message);
    if (refusal !== null) throw rejectedMessage(refusal);
  }

  async function receive(name: MessageName, message: { id: string }): Promise<MessageResult> {
    check(name, message);
    const { id } = message;
    received += 1;
    const before = previousResult(carried, name, message);
    if (before !== null) return before;
    const other = underWay.get(id);
    if (other !== undefined) return { id, ...(await other.work) };
    const mine = {};
    handled.add(mine);
    try {
      // A cancelled run still applies the messages it accepted.
      return await CancellationScope.nonCancellable(async () => {
        const work = applied(name, message);
        underWay.set(id, { name, mark: fingerprint(message), work });
        const result = { id, ...(await work) };
        await onApplied(name, result);
        return result;
      });
    } finally {
      underWay.delete(id);
      handled.delete(mine);
    }
  }

  async function applied(name: MessageName, message: { id: string }): Promise<AppliedMessage['result']> {
    const taking = takings.get(name);
    if (taking === undefined) throw rejectedMessage(`This run takes no ${name}.`);
    const done = taking.apply(message);
    const result = done instanceof Promise ? await done : done;
    saveApplied(carried, name, message, result);
    return result;
  }

  return {
    take(name, taking) {
      takings.set(name, taking);
      onUpdate(
        messageUpdate(name),
        [taking.schema],
        (message) => receive(name, message),
        (message) => {
          if (isClosed || received >= MAX_MESSAGES_PER_HISTORY)
            throw ApplicationFailure.nonRetryable(SEND_AGAIN, HISTORY_ENDING);
          check(name, message);
        },
      );
    },
    receive,
    close: () => void (isClosed = true),
    idle: () => {
      const now = [...handled];
      return condition(() => now.every((one) => !handled.has(one)));
    },
    get received() {
      return received;
    },
    get waiting() {
      return handled.size;
    },
  };
}

/** Null if there is none. Throws if the id was used for another message. */
function previousResult(
  { applied = [] }: WorkflowState,
  name: MessageName,
  message: { id: string },
): MessageResult | null {
  const before = applied.find(({ id }) => id === message.id);
  if (before === undefined) return null;
  rejectReusedId(before, name, message);
  return { id: message.id, ...before.result };
}

/** Throws if the id was used for a message with other content. */
function rejectReusedId(
  before: Pick<AppliedMessage, 'name' | 'mark'>,
  name: MessageName,
  message: { id: string },
): void {
  if (before.name === name && before.mark === fingerprint(message)) return;
  const was = before.name === name ? `${name} with other content` : before.name;
  throw ApplicationFailure.nonRetryable(
    `The id ${JSON.stringify(message.id)} was used before, for ${was}. Each message needs an id of its own; the same id is for sending the same message again.`,
    MESSAGE_ID_REUSED,
  );
}

function saveApplied(
  carried: WorkflowState,
  name: MessageName,
  message: { id: string },
  result: AppliedMessage['result'],
): void {
  const { id } = message;
  const all = [...(carried.applied ?? []), { id, name, mark: fingerprint(message), result }];
  carried.applied = all.slice(-MAX_REMEMBERED_MESSAGES);
  carried.appliedCounts = { ...carried.appliedCounts, [name]: (carried.appliedCounts?.[name] ?? 0) + 1 };
}

/** A fingerprint of all fields but the id, independent of field order. */
function fingerprint(message: object): string {
  const fields = isRecord(message) ? Object.entries(message) : [];
  return fields
    .filter(([name, value]) => name !== 'id' && value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}

/** A test checks that the generated schemas use supported keywords only. */
export const PLAIN_MESSAGE_SCHEMA = plainMessage as JsonSchema;

export function handlePauseMessages(
  inbox: Inbox,
  run: {
    kind: RunKind;
    gate: PauseController;
    outages: Pick<Outages, 'parked' | 'tryNow'>;
    hasEnded: () => boolean;
  },
): void {
  const { kind, gate, outages } = run;
  const refusal = (): string | null =>
    run.hasEnded() ? `The ${kind} is ending, so there is nothing left to steer.` : null;
  inbox.take<PlainMessage>('pause', {
    schema: PLAIN_MESSAGE_SCHEMA,
    refusal,
    apply: () => {
      const wasPaused = gate.paused;
      gate.pause();
      return { said: wasPaused ? 'It was paused already.' : 'It is paused: nothing new begins.' };
    },
  });
  const isHeld = (): boolean => gate.paused || outages.parked !== null;
  inbox.take<PlainMessage>('resume', {
    schema: PLAIN_MESSAGE_SCHEMA,
    refusal,
    apply: () => {
      const wasStill = isHeld();
      gate.resume();
      outages.tryNow();
      return { said: wasStill ? 'It goes on.' : 'It was not paused.' };
    },
  });
}

/** The type makes the list complete. The zod contract is too large for the workflow sandbox. */
const MESSAGE_NAMES: Record<MessageName, true> = {
  setOutline: true,
  approveOutline: true,
  addSources: true,
  pause: true,
  resume: true,
};

export function rejectOtherMessages(inbox: Inbox, kind: RunKind, taken: readonly MessageName[]): void {
  for (const name of Object.keys(MESSAGE_NAMES) as MessageName[]) {
    if (taken.includes(name)) continue;
    inbox.take(name, {
      schema: {},
      refusal: () =>
        `${withArticle(kind).replace(/^a/, 'A')} takes no ${name}: only a report does. What it takes is ${taken.join(', ')}.`,
      apply: () => ({ said: '' }),
    });
  }
}

export function handleSteeringQuery(
  carried: WorkflowState & { approval?: { leftMs: number; isAwaited: boolean } },
  sourcesWaiting: () => number,
): void {
  onQuery(steeringQuery, (): SteeringAnswer => ({
    applied: { ...carried.appliedCounts },
    approval: carried.approval?.isAwaited === true ? { leftMs: carried.approval.leftMs } : null,
    sourcesWaiting: sourcesWaiting(),
  }));
}

export interface Signals extends SignalListener {
  /** Resolves when warnings about signals are written or have failed. Await it before the history ends. */
  told(): Promise<void>;
  /** Number of signals received in this history, including rejected ones. */
  readonly received: number;
}

export function createSignals(warn: (warning: Warning) => Promise<void>): Signals {
  let received = 0;
  let refused = 0;
  let untold = 0;
  return {
    admit() {
      received += 1;
    },
    refused(reason) {
      refused += 1;
      if (refused > MAX_REFUSAL_WARNINGS) return;
      untold += 1;
      void warn({ code: 'message-refused', message: reason }).finally(() => (untold -= 1));
    },
    told: () => condition(() => untold === 0),
    get received() {
      return received;
    },
  };
}
