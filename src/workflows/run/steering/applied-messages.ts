import { ApplicationFailure } from '@temporalio/workflow';
import type { MessageName, MessageResult } from '../../../contracts/steering/messages';
import { isRecord } from '../../../core/values/is-record';
import type { CarriedRun } from '../carried-run';
import { REMEMBERED_MESSAGES } from '../in-histories';
import { MESSAGE_ID_REUSED } from '../messages';
import type { AppliedMessage } from './applied-message';

/** What a message of the id came to before; null where none was applied. Throws where that was another message. */
export function appliedBefore(
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
export function refuseOther(
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
export function keepApplied(
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
export function markOf(message: object): string {
  const fields = isRecord(message) ? Object.entries(message) : [];
  return fields
    .filter(([name, value]) => name !== 'id' && value !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}
