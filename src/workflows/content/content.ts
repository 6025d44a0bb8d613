import { proxyActivities } from '@temporalio/workflow';
import type { SharedActivities } from '../../activities/create-activities';
import type { ContentPart, ContentStart } from '../../contracts/run/content';
import contentStart from '../../contracts/schemas/content-start.json';
import { waitForKey } from '../run/given-start';
import { argumentProblems } from '../run/input/start-problems';
import { invalidInput } from '../run/invalid-input';
import { WITH_THE_RUN } from '../run/queues';

const activities = proxyActivities<Pick<SharedActivities, 'readContent'>>(WITH_THE_RUN);

/** Gives a stored text, such as a report by its reference, to whoever has Temporal's client and nothing else. */
export async function content(...given: unknown[]): Promise<ContentPart> {
  waitForKey(given);
  const problems = argumentProblems([contentStart], given);
  if (problems.length > 0) throw invalidInput('request for content', problems);
  const start = given[0] as ContentStart; // as the schema has it
  const part = await activities.readContent(start);
  if (part !== null) return part;
  throw invalidInput('request for content', [
    `ref is ${start.ref}, which is not in this worker's content store`,
  ]);
}
