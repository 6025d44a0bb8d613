import { STOP_SIGNALS, type SignalSource, type StopSignal } from '../command-io';

export interface StopSignals {
  /** Aborts at the first Ctrl-C, SIGTERM or SIGHUP; its reason is the signal's name. */
  readonly stopped: AbortSignal;
  /** Called at the next one, for leaving at once. */
  onSecond(leave: (signal: StopSignal) => void): void;
  /** Gives the signals back to the system. */
  dispose(): void;
}

/**
 * One Ctrl-C can arrive twice: from the terminal, which signals the whole group, and from a package manager in front
 * of this process, which forwards it. What follows this soon is the same key press.
 */
const SAME_PRESS_MS = 400;

export function listenForStop(source: SignalSource, now: () => number = Date.now): StopSignals {
  const controller = new AbortController();
  let firstAt = 0;
  let leave: (signal: StopSignal) => void = () => undefined;
  const listener = (signal: StopSignal): void => {
    if (!controller.signal.aborted) {
      firstAt = now();
      controller.abort(signal);
    } else if (now() - firstAt >= SAME_PRESS_MS) {
      leave(signal);
    }
  };
  for (const signal of STOP_SIGNALS) source.on(signal, listener);
  return {
    stopped: controller.signal,
    onSecond(handler) {
      leave = handler;
    },
    dispose() {
      for (const signal of STOP_SIGNALS) source.off(signal, listener);
    },
  };
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
