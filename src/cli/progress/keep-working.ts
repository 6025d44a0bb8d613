import { isServerSilent, reasonInWords } from '../failures/server-silence';
import { COMMAND } from '../package-files';
import { hasEnded, pause } from './while-it-goes-on';

const WORKER_LOOK_MS = 3_000;

/** The worker may be another command's, and end with it. Never rejects. */
export async function keepWorking(
  keepWorker: () => Promise<string | null>,
  note: (line: string) => void,
  ended: AbortSignal,
): Promise<void> {
  let told: string | null = null;
  while (!hasEnded(ended)) {
    await pause(WORKER_LOOK_MS, ended);
    if (hasEnded(ended)) return;
    const news = await keepWorker().catch((error: unknown) =>
      // Of a silent server the user is told once, where the run's progress is asked for.
      isServerSilent(error)
        ? null
        : `No worker could be started: ${reasonInWords(error)}. It is tried again; "${COMMAND} doctor" looks for the reason.`,
    );
    if (news !== null && news !== told) note(news);
    told = news ?? told;
  }
}
