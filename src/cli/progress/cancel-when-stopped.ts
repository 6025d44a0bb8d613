import { RunNotRunningError } from '../../client/run-errors';
import type { RunHandle } from '../../client/run-handle';
import { reasonInWords } from '../failures/server-silence';
import { aborted, hasEnded, pause } from './while-it-goes-on';

const CANCEL_AGAIN_MS = 1_000;

interface StoppedRun {
  stopped: AbortSignal;
  ended: AbortSignal;
  note: (line: string) => void;
  /** What a cancelled run leaves, such as `the partial report`. */
  left: string;
}

/** Never rejects: where the server does not answer, it asks again. */
export async function cancelWhenStopped(
  run: Pick<RunHandle, 'cancel'>,
  { stopped, ended, note, left }: StoppedRun,
): Promise<void> {
  await aborted(AbortSignal.any([stopped, ended]));
  if (hasEnded(ended)) return;
  note(`Cancelling: waiting for what is under way and for ${left}. Ctrl-C again leaves at once.`);
  let told = false;
  while (!hasEnded(ended)) {
    try {
      await run.cancel();
      return;
    } catch (error) {
      // It may have closed at the same moment, which is as good.
      if (error instanceof RunNotRunningError) return;
      if (!told)
        note(`Not cancelled yet: ${reasonInWords(error)}. It is tried again; Ctrl-C again leaves at once.`);
      told = true;
    }
    await pause(CANCEL_AGAIN_MS, ended);
  }
}
