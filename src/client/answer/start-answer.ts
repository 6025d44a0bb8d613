import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { AnswerRequest } from './answer-request';
import { ANSWER_WORKFLOW } from './answer-messages';
import { planAnswer, type AnswerRecords, type PlannedAnswer } from './plan-answer';

/** Starts answering, and does not wait for it. */
export async function startAnswer(records: AnswerRecords, request: AnswerRequest): Promise<PlannedAnswer> {
  const planned = await planAnswer(records, request);
  const { requestId, start } = planned;
  if (start === null) return planned;
  const [first] = await records.events.read(requestId, { limit: 1 });
  try {
    await records.client.workflow.start(ANSWER_WORKFLOW, {
      ...start,
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    });
  } catch (error) {
    // Somebody else has started it in the meantime: that request is looked at. What was read once is stored by now.
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    const { documents: _documents, sources: _sources, ...rest } = request;
    return startAnswer(records, { ...rest, requestId });
  }
  // The request does it too; whoever follows it now is not to be told of the one before.
  if (first !== undefined) await records.events.clearRun(requestId, { begunAt: first.at });
  return planned;
}
