// The workflow code as the one file that workers load into the sandbox.
import { join } from 'node:path';
import { root } from './setup.mjs';

/** What workflow code may bring along. Anything else is kept out: zod alone would be a megabyte in every sandbox. */
const allowedPackages = [
  '@temporalio/common',
  '@temporalio/workflow',
  '@temporalio/worker',
  'long',
  'ms',
  'nexus-rpc',
];

/** Resolves with the bundle's text; rejects when something is in it that cannot or must not run in the sandbox. */
export async function bundleWorkflows() {
  const { bundleWorkflowCode } = await import('@temporalio/worker');
  const complaints = [];
  const keep = (message) => complaints.push(message);
  const silent = () => undefined;
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(root, 'src', 'workflows', 'index.ts'),
    logger: { log: silent, trace: silent, debug: silent, info: silent, warn: keep, error: keep },
  }).catch((error) => {
    throw new Error(['The workflows cannot be bundled.', ...complaints, error.message].join('\n'));
  });
  const foreign = [...packagesIn(code)].filter((name) => !allowedPackages.includes(name));
  if (foreign.length > 0) {
    throw new Error(
      `The workflow bundle has packages in it that it must not have: ${foreign.join(', ')}.\n` +
        'Import their types only, and call them in activities.',
    );
  }
  return code;
}

/** webpack names each module by its path. */
function packagesIn(code) {
  const names = new Set();
  for (const [, name] of code.matchAll(/^\/\*\*\*\/ "[^"\n]*node_modules\/((?:@[^/"]+\/)?[^/"]+)\//gm))
    names.add(name);
  return names;
}
