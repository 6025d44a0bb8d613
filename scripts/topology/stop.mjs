// When everything is to be stopped: on a signal, or because a part has ended by itself.

/** Listens from now on. Later signals change nothing: stopping has its own limits of time. */
export function listenForStop() {
  const controller = new AbortController();
  let isAsked = false;
  let isWanted = false;
  const ended = new Promise((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
  });
  // It is heard of where something is waited for.
  ended.catch(() => undefined);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      isAsked ||= !controller.signal.aborted;
      controller.abort(new Error(`Stopped by ${signal}`));
    });
  return {
    signal: controller.signal,
    /** A part has failed. */
    fail: (error) => controller.abort(error),
    /** As `work`, or rejected as soon as everything is to be stopped. */
    orStopped: (work) => Promise.race([work, ended]),
    /** Somebody has asked for it. */
    isAsked: () => isAsked,
    /** From now on being asked is how it ends well. */
    want: () => (isWanted = true),
    isWanted: () => isWanted,
  };
}
