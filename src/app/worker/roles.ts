import type { Config } from '../../config/config';
import { workerRoles, type WorkerRole } from '../../contracts/run/worker-roles';
import { someAskModels, type Engines } from '../create-engines';
import { NoModelsError } from './no-models-error';

/** What a worker does of what it may do: nobody asks models where there are none. */
export function rolesOf({ worker }: Pick<Config, 'worker'>, engines: Engines): WorkerRole[] {
  const roles = workerRoles.filter(
    (role) => worker.roles.includes(role) && (role !== 'models' || someAskModels(engines)),
  );
  if (roles.length === 0) throw new NoModelsError();
  return roles;
}
