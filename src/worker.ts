/** The worker as other programs have it: they open the stores, start it, and drain it. */
export { startWorker, type ColligateWorker, type StartWorkerOptions } from './app/worker/start-worker';
