/** Where what asks a model is done: calls have slots and a pace of their own, and do not hold up other work. */
export function modelTaskQueue(taskQueue: string): string {
  return `${taskQueue}-models`;
}
