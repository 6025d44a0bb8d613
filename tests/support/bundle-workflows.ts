import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { WORKFLOW_SOURCES } from '../../src/app/worker/workflow-code';
import { waitingFor } from './time-spent';

/** The workflows of the sources, as a worker has them. */
export function bundleWorkflows(): Promise<WorkflowBundleWithSourceMap> {
  return waitingFor('bundling', () =>
    bundleWorkflowCode({
      ...WORKFLOW_SOURCES,
      logger: { trace() {}, debug() {}, info() {}, warn: console.warn, error: console.error, log() {} },
    }),
  );
}
