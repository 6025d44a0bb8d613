export interface BinaryAttempt {
  place: string;
  problem: string;
}

/** No Temporal server program could be found or got. The command line answers it with exit code 3. */
export class ServerBinaryError extends Error {
  override readonly name = 'ServerBinaryError';

  constructor(readonly attempts: readonly BinaryAttempt[]) {
    super(
      [
        'There is no Temporal server to run on. What was tried:',
        ...attempts.map(({ place, problem }) => `  ${place}: ${problem}`),
        'Any one of these mends it:',
        '  install the Temporal command line so that `temporal` is on PATH (https://docs.temporal.io/cli),',
        '  set TEMPORAL_ADDRESS=host:port to a server that runs,',
        '  connect to the internet once, so that the server can be downloaded,',
        '  or install Go (https://go.dev/dl), so that the server can be built.',
      ].join('\n'),
    );
  }
}
