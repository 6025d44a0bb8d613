import type { ChildProcess } from 'node:child_process';
import { startCommand } from '../../cli/command-line-under-test';

/** `colligate worker`, which can be killed and started again. */
export interface WorkerProcess {
  readonly name: string;
  /** Of the process that is there now. */
  readonly pid: number;
  /** Whether it has ended without being killed. */
  readonly hasEnded: boolean;
  /** The end of what it and those before it have said on standard error. */
  readonly said: string;
  kill(): Promise<void>;
  /** Resolves when it is ready. */
  start(): Promise<void>;
}

const SAID_CHARS = 4_000;

export async function startWorkerProcess(
  name: string,
  options: { cwd: string; env: Record<string, string> },
): Promise<WorkerProcess> {
  let child: ChildProcess;
  let ended: Promise<unknown>;
  let said = '';
  let isKilled = false;
  let hasEnded = false;
  const worker = {
    name,
    get pid() {
      return child.pid ?? 0; // a process that did not start has said nothing, and `start` has rejected
    },
    get hasEnded() {
      return hasEnded;
    },
    get said() {
      return said;
    },
    async kill() {
      isKilled = true;
      child.kill('SIGKILL');
      await ended;
    },
    async start() {
      const command = startCommand(['worker', '--json'], options);
      child = command.child;
      child.stderr?.on('data', (text: string) => (said = `${said}${text}`.slice(-SAID_CHARS)));
      isKilled = false;
      ended = command.ended.then(() => (hasEnded ||= !isKilled));
      await command.said(/\{/);
    },
  };
  await worker.start();
  return worker;
}
