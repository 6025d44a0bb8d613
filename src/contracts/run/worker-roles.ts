import { z } from 'zod';

/** A kind of work, which has a task queue of its own. */
const WorkerRole = z.enum(['runs', 'computing', 'models']);
export type WorkerRole = z.infer<typeof WorkerRole>;

export const workerRoles: readonly WorkerRole[] = WorkerRole.options;

const DESCRIPTION = 'one or more of runs, computing, models, with commas between them';

/** As text with commas, which is how a variable has it, or as a list. */
export const WorkerRoles = z
  .preprocess(
    (given) => (typeof given === 'string' ? given.split(',').map((role) => role.trim()) : given),
    z.array(WorkerRole).min(1),
  )
  .describe(DESCRIPTION);
