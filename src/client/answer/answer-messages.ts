/** Names that histories carry: the workflow, and its message, an update that waits for the reply and a query for what there is. */
export const ANSWER_WORKFLOW = 'answer';
export const REPLY = 'reply';
