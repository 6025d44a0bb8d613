/** The log of a conversation's turns, and the name under which what they name is held. */
export function conversationLog(conversationId: string): string {
  return `conversation:${conversationId}`;
}
