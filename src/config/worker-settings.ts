import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { WorkerRoles } from '../contracts/run/worker-roles';
import { Text } from './setting-types';

export const WorkerSettings = z.object({
  /** Default 8. How many activities a worker carries out at once. */
  maxConcurrentActivities: z.int().min(1).max(200).default(8),
  /** Default: the machine's processors. How many threads do the computing. */
  threads: z
    .int()
    .min(1)
    .max(64)
    .default(() => Math.min(64, availableParallelism())),
  /** Default 10,000. How long a worker that is told to stop lets activities finish, in milliseconds. */
  shutdownGraceMs: z.int().min(0).max(600_000).default(10_000),
  /** Default all of them. Which work a worker takes: `runs` (workflows and their bookkeeping), `computing`, `models`. */
  roles: WorkerRoles.default(['runs', 'computing', 'models']),
  /** Default none. The port on which a worker tells its health (`/healthz`, `/readyz`) and Prometheus metrics (`/metrics`). */
  httpPort: z.int().min(0).max(65_535).nullable().default(null),
  /** Default 127.0.0.1. The address of that port. */
  httpHost: Text.default('127.0.0.1'),
  /** Default none: workers have no versions. The name of the deployment of which this worker's build is a version. */
  deployment: Text.nullable().default(null),
  /** Default: the package's version. The build of a worker that has a deployment. */
  buildId: Text.nullable().default(null),
});
