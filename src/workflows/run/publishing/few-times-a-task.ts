import { patched, workflowInfo } from '@temporalio/workflow';
import { BOUNDED_MESSAGES, TOLD_AT_ONCE } from '../in-histories';

/**
 * Does what costs the history events at once, but only a few times in a workflow task: what is asked for after that is done once,
 * when everything that came with the task was taken up. Many messages may come with one.
 */
export function fewTimesATask(work: () => void): () => void {
  let task = 0;
  let times = 0;
  let isDue = false;
  return () => {
    const { historyLength } = workflowInfo();
    if (historyLength !== task) times = 0;
    task = historyLength;
    times += 1;
    if (times <= TOLD_AT_ONCE || !patched(BOUNDED_MESSAGES)) {
      work();
      return;
    }
    if (isDue) return;
    isDue = true;
    void Promise.resolve().then(() => {
      isDue = false;
      work();
    });
  };
}
