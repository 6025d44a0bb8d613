import { setMaxListeners } from 'node:events';

/** The SDK leaves a listener at a signal for every long poll: they go with one that no later wait uses. */
export async function withOwnSignal<Result>(
  end: AbortSignal,
  wait: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const own = new AbortController();
  setMaxListeners(0, own.signal);
  const abort = (): void => own.abort(end.reason);
  end.addEventListener('abort', abort);
  try {
    return await wait(own.signal);
  } finally {
    end.removeEventListener('abort', abort);
  }
}
