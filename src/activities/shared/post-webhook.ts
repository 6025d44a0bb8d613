import { ApplicationFailure } from '@temporalio/common';
import type { WebhookStart } from '../../contracts/run/webhook';
import type { ActivityPorts } from './ports';

/** Tells whoever asked for it that a run has ended. Where they cannot be told at all it is not tried again. */
export async function postWebhook(
  { webhooks }: ActivityPorts,
  { url, messageId, ...run }: WebhookStart,
  signal: AbortSignal,
): Promise<void> {
  if (webhooks === undefined)
    throw ApplicationFailure.nonRetryable(
      'This worker has no secret with which webhooks are signed. Start it with COLLIGATE_WEBHOOK_SECRET.',
    );
  const refusal = await webhooks.post(url, { messageId, run }, signal);
  if (refusal === null) return;
  throw ApplicationFailure.create({ message: refusal.reason, nonRetryable: !refusal.isRetryable });
}
