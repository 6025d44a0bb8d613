/** The worker as other programs have it: they open the stores, start it, and drain it. Run by itself it is `colligate worker`. */
export { loadConfig } from './app/config';
export { startWorker, type ColligateWorker, type StartWorkerOptions } from './app/start-worker';

if (require.main === module)
  void import('./cli/program.js').then(({ runAsProcess }) =>
    runAsProcess(['worker', ...process.argv.slice(2)]),
  );
