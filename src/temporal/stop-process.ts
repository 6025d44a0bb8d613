import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../platform/error-code';
import { isProcessAlive } from './process-of-server';

const patienceMs = 10_000;

/** Ends a process and its group: first by asking, after ten seconds by force. Resolves when it is gone. */
export async function stopProcess(pid: number): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  const deadline = Date.now() + patienceMs;
  let forced = false;
  while (isProcessAlive(pid)) {
    if (!forced && Date.now() > deadline) {
      signalGroup(pid, 'SIGKILL');
      forced = true;
    }
    await sleep(20);
  }
}

/** A process that leads a group takes the group with it. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch (error) {
      // No such group, or none on this system; and a process that is gone already is what was wanted.
      if (errorCode(error) !== 'ESRCH' && target === pid) throw error;
    }
  }
}
