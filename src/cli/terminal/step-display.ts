import type { Terminal } from './terminal';

/** What a command is busy with, where somebody watches: one line on standard error, drawn anew. */
export interface StepDisplay {
  update(step: string): void;
  /** A line of its own, watched or not. */
  note(line: string): void;
  end(): void;
}

const REDRAW_MS = 100;
const CLEARED = '\r\u001b[2K';

/** Drawn at once, as what it tells of may leave no turn to a timer. */
export function showStep({
  say,
  isWatched,
  progressTarget,
}: Pick<Terminal, 'say' | 'isWatched' | 'progressTarget'>): StepDisplay {
  let drawnAt = Number.NEGATIVE_INFINITY;
  const clear = (): void => {
    if (isWatched) progressTarget.write(CLEARED);
  };
  return {
    update(step) {
      if (!isWatched || Date.now() - drawnAt < REDRAW_MS) return;
      drawnAt = Date.now();
      progressTarget.write(`${CLEARED}${step}`);
    },
    note(line) {
      clear();
      say(line);
    },
    end: clear,
  };
}
