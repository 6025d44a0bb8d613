import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, type BundleOptions, type WorkerOptions } from '@temporalio/worker';

/** From `dist/app/worker` and from `src/app/worker` alike. */
const CODE_ROOT = join(__dirname, '../..');

/** What a bundle of the workflows is made of; `scripts/workflow-bundle.mjs` makes the built one of the same. */
export const WORKFLOW_SOURCES: BundleOptions = {
  workflowsPath: require.resolve('../../workflows'),
  workflowInterceptorModules: [require.resolve('../../workflows/interceptors')],
  failureConverterPath: require.resolve('../../temporal/payloads/sandbox-failure-converter'),
  payloadConverterPath: require.resolve('../../workflows/payload-converter'),
};

/** What the bundle's failure converter looks for (`temporal/payloads/sandbox-failure-converter.ts`); on the first line, so that no line moves. */
const ENCODES_FAILURES = 'globalThis.__colligateEncodesFailures = true;';

/**
 * The build leaves a bundle at the root of the code; in a checkout the workflows are bundled from their sources. The sandbox
 * has no settings: that failures are to be encoded in it stands in front of its code.
 */
export async function workflowCode(
  given: WorkerOptions['workflowBundle'],
  { encodesFailures }: { encodesFailures: boolean },
): Promise<Pick<WorkerOptions, 'workflowBundle'>> {
  const codePath = join(CODE_ROOT, 'workflow-bundle.js');
  const built = existsSync(codePath) ? { codePath } : undefined;
  const bundle = given ?? built ?? (await bundleWorkflowCode(WORKFLOW_SOURCES));
  if (!encodesFailures) return { workflowBundle: bundle };
  const code = 'code' in bundle ? bundle.code : readFileSync(bundle.codePath, 'utf8');
  return { workflowBundle: { code: ENCODES_FAILURES + code } };
}
