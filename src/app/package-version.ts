import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerOptions } from '@temporalio/worker';
import type { Config } from './config';

/** From `dist/app` and from `src/app` alike. */
const MANIFEST = join(__dirname, '../../package.json');

/** The version of Colligate that runs; `unknown` where its package does not say. */
export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined;
  return typeof version === 'string' ? version : 'unknown';
}

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
