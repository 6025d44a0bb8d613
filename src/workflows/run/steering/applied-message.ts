import type { MessageName, MessageResult } from '../../../contracts/steering/messages';

export interface AppliedMessage {
  id: string;
  name: MessageName;
  mark: string;
  result: Omit<MessageResult, 'id'>;
}
