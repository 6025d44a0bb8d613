/** What a worker does for runs: all of them, or the calls to models alone. */
export type Work = 'runs' | 'model-calls';
