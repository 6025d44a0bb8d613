import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { AgentState } from '../../answers/to-agent-state';
import type { Answer } from '../../contracts/answer/answer';

/** Waits for the reply, and is told it; with its start in one call, where the caller wants no more than that. */
export const replyUpdate = defineUpdate<Answer>('reply');
/** Null before there is one. */
export const replyQuery = defineQuery<Answer | null>('reply');
/** The same in the form of document 001, behind the turns before it. */
export const agentStateQuery = defineQuery<AgentState | null>('agent-state');
