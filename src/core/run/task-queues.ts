import type { WorkerRole } from '../../contracts/run/worker-roles';

/** Where what asks a model is done: calls have slots and a pace of their own, and do not hold up other work. */
export function modelTaskQueue(taskQueue: string): string {
  return `${taskQueue}-models`;
}

/** Where texts are read and computed with: it takes processors and memory, which the workflows' workers need not have. */
export function computingTaskQueue(taskQueue: string): string {
  return `${taskQueue}-computing`;
}

export function queueOfRole(taskQueue: string, role: WorkerRole): string {
  if (role === 'runs') return taskQueue;
  return role === 'computing' ? computingTaskQueue(taskQueue) : modelTaskQueue(taskQueue);
}
