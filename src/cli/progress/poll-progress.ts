import type { RunHandle, RunProgress } from '../../client/run-handle';
import { isServerSilent, reasonInWords } from '../failures/server-silence';
import type { ProgressDisplay } from './progress-display';
import { hasEnded, pause } from './while-it-goes-on';

const POLL_MS = 250;
const SILENCE_TO_TELL_MS = 5_000;

/**
 * Shows where a run is, again and again until it has ended; `look` is given what is shown. Never rejects: progress is only shown,
 * and the wait for the run's end goes on without it.
 */
export async function pollProgress(
  run: Pick<RunHandle, 'progress'>,
  display: ProgressDisplay,
  { whatHelps, look }: { whatHelps: string; look: (progress: RunProgress) => void },
  ended: AbortSignal,
): Promise<void> {
  let heardAt = Date.now();
  let silenceTold = false;
  while (!hasEnded(ended)) {
    try {
      const progress = await run.progress();
      if (hasEnded(ended)) return;
      heardAt = Date.now();
      if (silenceTold) display.note('There is news of the run again.');
      silenceTold = false;
      display.update(progress);
      look(progress);
    } catch (error) {
      if (!silenceTold && !hasEnded(ended) && Date.now() - heardAt >= SILENCE_TO_TELL_MS) {
        const outlook = isServerSilent(error) ? whatHelps : 'It is asked again.';
        display.note(`No news of the run: ${reasonInWords(error)}. ${outlook}`);
        silenceTold = true;
      }
    }
    await pause(POLL_MS, ended);
  }
}
