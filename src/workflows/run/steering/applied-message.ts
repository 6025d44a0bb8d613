import type { MessageName, MessageResult } from '../../../contracts/steering/messages';

/** A message that was applied, as it is carried over: what it said, told apart by a mark, and what came of it. */
export interface AppliedMessage {
  id: string;
  name: MessageName;
  mark: string;
  result: Omit<MessageResult, 'id'>;
}
