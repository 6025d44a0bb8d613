import type { Work } from '../../app/session/work';
import { COMMAND } from '../package-files';

/** What a worker of this process is for, as a sentence. */
export function ownWorkerLine(work: Work): string {
  return work === 'runs'
    ? 'No worker was polling: a worker in this process does the run.'
    : 'No worker with a model endpoint was polling: one in this process asks the models.';
}

/** Whether somebody works on the run that is watched, as a sentence. */
export function workersLine(unpolled: readonly string[]): string {
  return unpolled.length > 0
    ? `No worker polls ${unpolled.join(' and ')}: the run stands still. Start one with: ${COMMAND} worker`
    : 'A worker polls again: the run goes on.';
}
