import { z } from 'zod';
import { ArtifactRef } from '../run/artifact';

/** The sender's own name of a message: the same id twice is one message, over restarts and over continue-as-new. */
export const MessageId = z
  .string()
  .min(1)
  .max(100)
  .describe('a text of 1 to 100 characters, which no other message to the run has');
export type MessageId = z.infer<typeof MessageId>;

/** Replaces the outline of pass 1 by one that lies in the content store (`GivenOutline`). */
export const SetOutline = z.object({ id: MessageId, outlineRef: ArtifactRef });
export type SetOutline = z.infer<typeof SetOutline>;

/** What says all by its name: `approveOutline`, `pause`, `resume`. */
export const PlainMessage = z.object({ id: MessageId });
export type PlainMessage = z.infer<typeof PlainMessage>;

export const AddSources = z.object({
  id: MessageId,
  manifestRef: ArtifactRef,
  sourceCount: z.int().positive(),
  /** How many characters their contents have together; absent where it is not known. */
  sourceChars: z.int().nonnegative().optional(),
});
export type AddSources = z.infer<typeof AddSources>;

/** The names of the messages, which are those of the updates. */
export const MessageName = z.enum(['setOutline', 'approveOutline', 'addSources', 'pause', 'resume']);
export type MessageName = z.infer<typeof MessageName>;

/** What became of a message, as a sentence for people; of sources how many are new, and how many were there already. */
export const MessageResult = z.object({
  id: z.string(),
  said: z.string(),
  added: z.int().nonnegative().optional(),
  known: z.int().nonnegative().optional(),
});
export type MessageResult = z.infer<typeof MessageResult>;

/** A hundred years: of longer timers the server makes short ones. */
const LONGEST_APPROVAL_MS = 3_155_760_000_000;

/** How long a report waits for the approval of its outline; then it goes on with the one it has. */
export const ApprovalSettings = z.object({ timeoutMs: z.int().positive().max(LONGEST_APPROVAL_MS) });
export type ApprovalSettings = z.infer<typeof ApprovalSettings>;

/** The answer to the query `steering`. */
export const SteeringAnswer = z.object({
  /** How many messages were applied since the run began, each once. */
  applied: z.partialRecord(MessageName, z.int().nonnegative()),
  /** Set while the run waits for the approval of its outline; run time left, in milliseconds, when that began or was paused last. */
  approval: z.object({ leftMs: z.number() }).nullable(),
  /** How many lists of added sources are waiting for the end of what goes on. */
  sourcesWaiting: z.int().nonnegative(),
});
export type SteeringAnswer = z.infer<typeof SteeringAnswer>;
