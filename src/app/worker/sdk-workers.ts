import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import type { Config } from '../../config/config';
import type { EngineSettings } from '../../config/schema';
import type { WorkerRole } from '../../contracts/run/worker-roles';
import { queueOfRole } from '../../core/run/task-queues';
import { ISOLATION } from './isolation';
import { workflowCode } from './workflow-code';

/** After a worker died, its runs' next tasks wait so long for it before another worker may take them. */
const STICKY_TIMEOUT = '5 seconds';

/** What all of them have. */
export type SharedWorkerOptions = Omit<WorkerOptions, 'taskQueue' | 'connection'>;

/** One of the SDK's workers for each kind of work; each knows every activity, so that a task may lie in any queue. */
export async function createSdkWorkers(
  roles: readonly WorkerRole[],
  connection: NativeConnection,
  {
    config: { worker, openai, temporal, encryption },
    shared,
    workflowBundle,
  }: {
    config: Pick<Config, 'worker' | 'temporal' | 'encryption'> & EngineSettings;
    shared: SharedWorkerOptions;
    workflowBundle: WorkerOptions['workflowBundle'];
  },
): Promise<Worker[]> {
  const { maxConcurrentActivities } = worker;
  const options: Record<WorkerRole, () => Promise<Partial<WorkerOptions>>> = {
    runs: async () => ({
      ...(await workflowCode(workflowBundle, { encodesFailures: encryption.keys !== null })),
      ...ISOLATION,
      maxConcurrentActivityTaskExecutions: maxConcurrentActivities,
      stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    }),
    computing: async () => ({ maxConcurrentActivityTaskExecutions: maxConcurrentActivities }),
    // They wait for their slots, and nothing else waits for them.
    models: async () => ({ maxConcurrentActivityTaskExecutions: openai.maxConcurrentCalls }),
  };
  const workers: Worker[] = [];
  for (const role of roles) {
    const taskQueue = queueOfRole(temporal.taskQueue, role);
    workers.push(await Worker.create({ ...shared, connection, taskQueue, ...(await options[role]()) }));
  }
  return workers;
}
