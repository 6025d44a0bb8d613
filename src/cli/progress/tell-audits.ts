import { setTimeout as delay } from 'node:timers/promises';
import type { RunHandle } from '../../client/run-handle';
import { auditLine } from './audit-line';
import type { ProgressDisplay } from './progress-display';
import { numberedTitle } from './section-title';

/** So long the last audits may take to be told when the run has closed. */
const GRACE_MS = 1_000;

/**
 * Notes each audit of a run as it comes. What it gives back ends that: at once, or when all that a closed run has told is
 * noted. It is told in the run's language where none is given. It never rejects, because what it tells is only shown.
 */
export function tellAudits(
  run: Pick<RunHandle, 'events'>,
  display: Pick<ProgressDisplay, 'note'>,
): (how: 'at once' | 'told') => Promise<void> {
  const enough = new AbortController();
  const telling = noteAudits(run, display, enough.signal).catch(() => undefined);
  return async (how) => {
    if (how === 'told') await Promise.race([telling, delay(GRACE_MS, undefined, { ref: false })]);
    enough.abort();
    await telling;
  };
}

async function noteAudits(
  run: Pick<RunHandle, 'events'>,
  display: Pick<ProgressDisplay, 'note'>,
  signal: AbortSignal,
): Promise<void> {
  let outline: { id: string; title: string }[] = [];
  for await (const event of run.events({ signal })) {
    if (event.type === 'outline-generated') outline = event.payload.sections;
    if (event.type === 'audit')
      display.note(auditLine(event.payload, (section) => numberedTitle(outline, section)));
  }
}
