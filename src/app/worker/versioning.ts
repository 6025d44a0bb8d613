import type { WorkerOptions } from '@temporalio/worker';
import type { Config } from '../../config/config';
import { packageVersion } from '../package-version';

export function buildOf({ worker }: Pick<Config, 'worker'>): string | null {
  return worker.deployment === null ? null : (worker.buildId ?? packageVersion());
}

/**
 * A run stays on the build that began it, over all its histories: what of it was done by one release is gone on with by the
 * same, and a roll-out changes nothing about runs that are under way. Workers of the old build are needed until those end.
 */
export function versioningOf(config: Pick<Config, 'worker'>): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  const { deployment } = config.worker;
  const buildId = buildOf(config);
  if (deployment === null || buildId === null) return {};
  return {
    workerDeploymentOptions: {
      useWorkerVersioning: true,
      version: { deploymentName: deployment, buildId },
      defaultVersioningBehavior: 'PINNED',
    },
  };
}
