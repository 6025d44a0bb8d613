import type { Work } from '../../app/session/work';
import { COMMAND } from '../package-files';

const OWN_WORKER: Readonly<Record<Work, string>> = {
  runs: 'No worker was polling: a worker in this process does the run.',
  computing: 'No worker that reads the texts was polling: one in this process does.',
  'model-calls': 'No worker with a model endpoint was polling: one in this process asks the models.',
};

export function ownWorkerLine(work: Work): string {
  return OWN_WORKER[work];
}

export function workersLine(unpolled: readonly string[]): string {
  return unpolled.length > 0
    ? `No worker polls ${unpolled.join(' and ')}: the run stands still. Start one with: ${COMMAND} worker`
    : 'A worker polls again: the run goes on.';
}
