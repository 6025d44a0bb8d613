import { proxyActivities } from '@temporalio/workflow';
import type { SharedActivities } from '../../activities/create-activities';
import type { WebhookStart } from '../../contracts/run/webhook';
import webhookStart from '../../contracts/schemas/webhook-start.json';
import { waitForKey } from '../run/given-start';
import { argumentProblems } from '../run/input/start-problems';
import { invalidInput } from '../run/invalid-input';
import { WITH_THE_RUN } from '../run/queues';

/** Who is away is told later: at first after seconds, in the end every hour, for three days. */
const { postWebhook } = proxyActivities<Pick<SharedActivities, 'postWebhook'>>({
  ...WITH_THE_RUN,
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '3 days',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '1 hour' },
});

export async function webhook(...given: unknown[]): Promise<void> {
  waitForKey(given);
  const problems = argumentProblems([webhookStart], given);
  if (problems.length > 0) throw invalidInput('webhook', problems);
  await postWebhook(given[0] as WebhookStart); // as the schema has it
}
