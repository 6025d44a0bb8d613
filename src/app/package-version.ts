import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerOptions } from '@temporalio/worker';
import type { Config } from './config';

const MANIFEST = join(__dirname, '../../package.json');

export function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(MANIFEST, 'utf8'));
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? manifest.version : undefined;
  return typeof version === 'string' ? version : 'unknown';
}

export function buildOf({ worker }: Pick<Config, 'worker'>): string | null {
  return worker.deployment === null ? null : (worker.buildId ?? packageVersion());
}

/** Pins runs to the build that started them. Workers of the old build must stay until these runs end. */
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
