import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkerOptions } from '@temporalio/worker';

/** From `dist/app/worker` and from `src/app/worker` alike. */
const CODE_ROOT = join(__dirname, '../..');

/** What the bundle's failure converter looks for (`temporal/payloads/sandbox-failure-converter.ts`); on the first line, so that no line moves. */
const ENCODES_FAILURES = 'globalThis.__colligateEncodesFailures = true;';

/**
 * The build leaves a bundle at the root of the code; in a checkout the workflows are bundled from their sources. The sandbox
 * has no settings: that failures are to be encoded in it stands in front of its code.
 */
export function workflowCode(
  given: WorkerOptions['workflowBundle'],
  { encodesFailures }: { encodesFailures: boolean },
): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'> {
  const codePath = join(CODE_ROOT, 'workflow-bundle.js');
  const bundle = given ?? (existsSync(codePath) ? { codePath } : undefined);
  if (bundle === undefined) return { workflowsPath: require.resolve('../../workflows') };
  if (!encodesFailures) return { workflowBundle: bundle };
  const code = 'code' in bundle ? bundle.code : readFileSync(bundle.codePath, 'utf8');
  return { workflowBundle: { code: ENCODES_FAILURES + code } };
}
