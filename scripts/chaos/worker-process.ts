import type { ChildProcess } from 'node:child_process';
import { startCommand } from '../../tests/cli/command-line-under-test';

/** `colligate worker`, which can be killed and started again. */
export interface WorkerProcess {
  readonly name: string;
  /** Of the process that is there now. */
  readonly pid: number;
  kill(): Promise<void>;
  /** Resolves when it is ready. */
  start(): Promise<void>;
}

export async function startWorkerProcess(
  name: string,
  options: { cwd: string; env: Record<string, string> },
): Promise<WorkerProcess> {
  let child: ChildProcess;
  let ended: Promise<unknown>;
  const worker = {
    name,
    get pid() {
      return child.pid ?? 0; // a process that did not start has said nothing, and `start` has rejected
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async start() {
      const command = startCommand(['worker', '--json'], options);
      child = command.child;
      ended = command.ended;
      await command.said(/\{/);
    },
  };
  await worker.start();
  return worker;
}
