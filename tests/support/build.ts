import path from 'node:path';

/** The build: the command line, the bundle of the workflows, the code of threads. The global setup makes it. */
export const BUILT = path.resolve(__dirname, '../../dist');
