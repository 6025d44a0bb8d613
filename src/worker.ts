/** The worker as other programs have it: they open the stores, start it, and drain it. Run by itself it is `colligate worker`. */
export { loadConfig } from './config/config';
export { startWorker, type ColligateWorker, type StartWorkerOptions } from './app/worker/start-worker';

if (require.main === module) {
  const [node = '', script = '', ...args] = process.argv;
  void import('./cli/command-line.js')
    .then(({ runCommandLine }) => runCommandLine([node, script, 'worker', ...args]))
    .then((exitCode) => process.exit(exitCode));
}
