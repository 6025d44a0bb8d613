/** What a worker does for runs: all of them, what reads and computes, or the calls to models alone. */
export type Work = 'runs' | 'computing' | 'model-calls';
