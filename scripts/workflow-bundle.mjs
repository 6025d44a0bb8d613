// The workflow code as the one file that workers load into the sandbox.
import { join } from 'node:path';
import { root } from './checkout.mjs';

/** What workflow code may bring along. Anything else is kept out: zod alone would be a megabyte in every sandbox. */
const allowedPackages = [
  '@temporalio/common',
  '@temporalio/workflow',
  '@temporalio/worker',
  'long',
  'ms',
  'nexus-rpc',
];

/** Rooms that are too large for a sandbox. */
const forbiddenFolders = ['src/text/', 'src/sources/', 'src/engines/'];

/** Resolves with the bundle's text; rejects when something is in it that cannot or must not run in the sandbox. */
export async function bundleWorkflows() {
  const { bundleWorkflowCode } = await import('@temporalio/worker');
  const complaints = [];
  const keep = (message) => complaints.push(message);
  const silent = () => undefined;
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(root, 'src', 'workflows', 'index.ts'),
    workflowInterceptorModules: [join(root, 'src', 'workflows', 'interceptors.ts')],
    failureConverterPath: join(root, 'src', 'workflows', 'sandbox-failure-converter.ts'),
    payloadConverterPath: join(root, 'src', 'workflows', 'payload-converter.ts'),
    logger: { log: silent, trace: silent, debug: silent, info: silent, warn: keep, error: keep },
  }).catch((error) => {
    throw new Error(explain(complaints.join('\n'), error.message), { cause: error });
  });
  const foreign = [...packagesIn(code)].filter((name) => !allowedPackages.includes(name));
  if (foreign.length > 0) {
    throw new Error(
      `The workflow bundle has packages in it that it must not have: ${foreign.join(', ')}.\n` +
        'Import their types only, and call them in activities.',
    );
  }
  const reading = modulesIn(code).filter((path) =>
    forbiddenFolders.some((folder) => path.startsWith(folder)),
  );
  if (reading.length > 0) {
    throw new Error(
      `The workflow bundle has files in it that it must not have: ${reading.join(', ')}.\n` +
        'Whoever needs them is called in activities.',
    );
  }
  return code;
}

/** webpack says much; what stands in the way of the sandbox is in its errors and in the SDK's list of forbidden modules. */
function explain(webpackOutput, message) {
  const broken = [...webpackOutput.matchAll(/^ERROR in (.+)\n(.*)$/gm)].map(
    ([, where, what]) => `  ${where}: ${what}`,
  );
  const forbidden = [...message.matchAll(/^ {2}- '(.+)'$/gm)].map(
    ([, name]) => `  ${name}: not allowed in workflow code`,
  );
  const problems = [...new Set([...broken, ...forbidden])];
  return [
    'The workflows cannot be bundled. Code that workflows import, directly or through others, must not use Node:',
    ...(problems.length > 0 ? problems : [webpackOutput, message]),
  ].join('\n');
}

/** The files in the bundle, by their paths from the root; webpack names each module so. */
function modulesIn(code) {
  return [...code.matchAll(/^\/\*\*\*\/ "(?:\.\/)?([^"\n]+)"/gm)].map(([, path]) => path);
}

function packagesIn(code) {
  const names = modulesIn(code).map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}
