import type { Progress } from '../../contracts/run/run';
import { progressLine, progressMilestone } from './progress-line';

export interface ProgressDisplay {
  update(progress: Progress): void;
  /** Prints a line of its own without disturbing the progress line. */
  note(line: string): void;
  /** Clears what is drawn; later updates are ignored. */
  end(): void;
}

export interface ProgressTarget {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

const REDRAW_MS = 200;

/** Shows a run's progress: one line redrawn on a terminal, elsewhere a line for every change of pass, message or section. */
export function showProgress(target: ProgressTarget, now: () => number = Date.now): ProgressDisplay {
  return target.isTTY === true ? redrawnLine(target, now) : linePerChange(target, now);
}

function redrawnLine(target: ProgressTarget, now: () => number): ProgressDisplay {
  const startedAt = now();
  let latest: Progress | null = null;
  let ended = false;
  const clear = (): unknown => target.write('\r\u001b[2K');
  const draw = (): void => {
    if (latest === null || ended) return;
    const width = Math.max(20, (target.columns ?? 80) - 1);
    const line = progressLine(latest, now() - startedAt);
    target.write(`\r\u001b[2K${line.length > width ? `${line.slice(0, width - 1)}…` : line}`);
  };
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return {
    update(progress) {
      latest = progress;
      draw();
    },
    note(line) {
      clear();
      target.write(`${line}\n`);
      draw();
    },
    end() {
      if (ended) return;
      ended = true;
      clearInterval(timer);
      clear();
    },
  };
}

function linePerChange(target: ProgressTarget, now: () => number): ProgressDisplay {
  const startedAt = now();
  let shown = '';
  let ended = false;
  return {
    update(progress) {
      const milestone = progressMilestone(progress);
      if (ended || milestone === shown) return;
      shown = milestone;
      target.write(`${progressLine(progress, now() - startedAt)}\n`);
    },
    note(line) {
      target.write(`${line}\n`);
    },
    end() {
      ended = true;
    },
  };
}
