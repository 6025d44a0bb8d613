import type { SignalSource } from '../command-io';

/** What is asked of a command that goes on after a Ctrl-C. */
export interface Interrupts {
  /** Called at each Ctrl-C; a terminal that is read key by key has to say of its own with `press`. */
  onPress(handler: () => void): void;
  press(): void;
  /** Called where the system asks the process to end. */
  onEnd(handler: () => void): void;
  /** Gives the signals back to the system. */
  dispose(): void;
}

const ENDS = ['SIGTERM', 'SIGHUP'] as const;

/** One Ctrl-C can arrive twice, as for `listenForStop`. */
const SAME_PRESS_MS = 400;

export function listenForInterrupts(source: SignalSource, now: () => number = Date.now): Interrupts {
  let lastAt = Number.NEGATIVE_INFINITY;
  let pressed: () => void = () => undefined;
  let end: () => void = () => undefined;
  const press = (): void => {
    if (now() - lastAt < SAME_PRESS_MS) return;
    lastAt = now();
    pressed();
  };
  const ended = (): void => end();
  source.on('SIGINT', press);
  for (const signal of ENDS) source.on(signal, ended);
  return {
    onPress(handler) {
      pressed = handler;
    },
    press,
    onEnd(handler) {
      end = handler;
    },
    dispose() {
      source.off('SIGINT', press);
      for (const signal of ENDS) source.off(signal, ended);
    },
  };
}
