import { z } from 'zod';
import { RunKind } from '../kinds';
import { RunId } from './run';

const WebhookUrl = z
  .string()
  .max(4_096)
  .regex(/^https?:\/\/[^\s/]/i, 'an address begins with https:// or http://');

export const Webhook = z.object({ url: WebhookUrl });
export type Webhook = z.infer<typeof Webhook>;

export const EndedRun = z.object({
  runId: RunId,
  kind: RunKind,
  status: z.enum(['completed', 'partial', 'cancelled', 'failed']),
});
export type EndedRun = z.infer<typeof EndedRun>;

/** What the workflow that tells of an ended run is started with: `messageId` is the same however often it is told. */
export const WebhookStart = z.object({
  ...Webhook.shape,
  ...EndedRun.shape,
  messageId: z.string().min(1).max(200),
});
export type WebhookStart = z.infer<typeof WebhookStart>;
