import { ApplicationFailure, CancellationScope, condition } from '@temporalio/workflow';
import type { MessageName, MessageResult } from '../../../contracts/steering/messages';
import type { CarriedRun } from '../carried-run';
import type { JsonSchema } from '../../../core/shapes/json-schema';
import { refused, takeUpdate } from '../handlers';
import { MESSAGES_A_HISTORY, REMEMBERED_MESSAGES } from '../run-constants';
import { HISTORY_ENDING, messageUpdate, MESSAGE_ID_REUSED } from '../messages';
import type { AppliedMessage } from './applied-message';
import { isRecord } from '../../../core/values/is-record';

export interface Taking<Message> {
  schema: JsonSchema;
  /** Why it cannot be taken now, as a sentence; null where it can. It changes nothing. */
  refusal(message: Message): string | null;
  /** Does what it says; what it throws is told to the sender, and the message may be sent again then. */
  apply(message: Message): Promise<AppliedMessage['result']> | AppliedMessage['result'];
}

/** What comes from outside while a run goes on: each message fits its schema, is looked at before it is accepted, and applied once. */
export interface Inbox {
  /** Has updates of the name taken; nothing is awaited before, so that none of them is missed. */
  take<Message extends { id: string }>(name: MessageName, taking: Taking<Message>): void;
  /** Takes a message that came by another way, and fits; throws as an update of it would fail. */
  receive(name: MessageName, message: { id: string }): Promise<MessageResult>;
  /** Takes no update any more, because the history ends: whoever sent one is told to send it again. */
  close(): void;
  /** Resolves when every message that has come by now is applied; those that come meanwhile are not waited for. */
  idle(): Promise<void>;
  /** How many were accepted in this history. */
  readonly received: number;
  /** How many are accepted and not yet applied. */
  readonly waiting: number;
}

const SEND_AGAIN = 'The run goes on in a new history at this moment: send the message again.';

interface UnderWay extends Pick<AppliedMessage, 'name' | 'mark'> {
  work: Promise<AppliedMessage['result']>;
}

export function createInbox(
  carried: CarriedRun,
  onApplied: (name: MessageName, result: MessageResult) => Promise<void>,
): Inbox {
  const takings = new Map<MessageName, Taking<{ id: string }>>();
  const underWay = new Map<string, UnderWay>();
  let received = 0;
  let isClosed = false;
  const handled = new Set<object>();

  /** Throws where the message is not to be accepted. */
  function check(name: MessageName, message: { id: string }): void {
    const taking = takings.get(name);
    if (taking === undefined) throw refused(`This run takes no ${name}.`);
    if (appliedBefore(carried, name, message) !== null) return;
    const before = underWay.get(message.id);
    if (before !== undefined) {
      refuseOther(before, name, message);
      return;
    }
    const refusal = taking.refusal(message);
    if (refusal !== null) throw refused(refusal);
  }

  async function receive(name: MessageName, message: { id: string }): Promise<MessageResult> {
    check(name, message);
    const { id } = message;
    received += 1;
    const before = appliedBefore(carried, name, message);
    if (before !== null) return before;
    const other = underWay.get(id);
    if (other !== undefined) return { id, ...(await other.work) };
    const mine = {};
    handled.add(mine);
    try {
      // A cancelled run ends in good order, and so does what it was told before.
      return await CancellationScope.nonCancellable(async () => {
        const work = applied(name, message);
        underWay.set(id, { name, mark: markOf(message), work });
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
    if (taking === undefined) throw refused(`This run takes no ${name}.`);
    const done = taking.apply(message);
    const result = done instanceof Promise ? await done : done;
    keepApplied(carried, name, message, result);
    return result;
  }

  return {
    take(name, taking) {
      // It is given nothing but what its schema allows.
      takings.set(name, taking);
      takeUpdate(
        messageUpdate(name),
        [taking.schema],
        (message) => receive(name, message),
        (message) => {
          if (isClosed || received >= MESSAGES_A_HISTORY)
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

/** What a message of the id came to before; null where none was applied. Throws where that was another message. */
function appliedBefore(
  { applied = [] }: CarriedRun,
  name: MessageName,
  message: { id: string },
): MessageResult | null {
  const before = applied.find(({ id }) => id === message.id);
  if (before === undefined) return null;
  refuseOther(before, name, message);
  return { id: message.id, ...before.result };
}

/** Throws where a message of the id was sent with something else in it. */
function refuseOther(
  before: Pick<AppliedMessage, 'name' | 'mark'>,
  name: MessageName,
  message: { id: string },
): void {
  if (before.name === name && before.mark === markOf(message)) return;
  const was = before.name === name ? `${name} with other content` : before.name;
  throw ApplicationFailure.nonRetryable(
    `The id ${JSON.stringify(message.id)} was used before, for ${was}. Each message needs an id of its own; the same id is for sending the same message again.`,
    MESSAGE_ID_REUSED,
  );
}

/** Remembers it; of many the oldest is forgotten. */
function keepApplied(
  carried: CarriedRun,
  name: MessageName,
  message: { id: string },
  result: AppliedMessage['result'],
): void {
  const { id } = message;
  const all = [...(carried.applied ?? []), { id, name, mark: markOf(message), result }];
  carried.applied = all.slice(-REMEMBERED_MESSAGES);
  carried.appliedCounts = { ...carried.appliedCounts, [name]: (carried.appliedCounts?.[name] ?? 0) + 1 };
}

/** What a message says beside its id, whatever the order of its fields: they are few and short. */
function markOf(message: object): string {
  const fields = isRecord(message) ? Object.entries(message) : [];
  return fields
    .filter(([name, value]) => name !== 'id' && value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}
