import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerOptions } from '@temporalio/worker';

/** From `dist/app/worker` and from `src/app/worker` alike. */
const CODE_ROOT = join(__dirname, '../..');

/** The build leaves a bundle at the root of the code; in a checkout the workflows are bundled from their sources. */
export function workflowCode(
  given: WorkerOptions['workflowBundle'],
): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'> {
  if (given !== undefined) return { workflowBundle: given };
  const codePath = join(CODE_ROOT, 'workflow-bundle.js');
  return existsSync(codePath)
    ? { workflowBundle: { codePath } }
    : { workflowsPath: require.resolve('../../workflows') };
}
