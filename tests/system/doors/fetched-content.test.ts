import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import type { ContentPart, ContentStart } from '../../../src/contracts/run';
import { forAllTests } from '../../support/for-all-tests';
import { openScriptedBench } from '../../support/run-bench';

/** The workflow `content`, by which whoever has no store is given what lies in it. */
const bench = forAllTests(openScriptedBench);

let asked = 0;
function fetchPart(start: ContentStart): Promise<ContentPart> {
  const { taskQueue } = bench.config.temporal;
  return bench.client.workflow.execute('content', {
    workflowId: `part-${asked++}`,
    taskQueue,
    args: [start],
  });
}

it('gives a long text in parts, each of whole characters', async () => {
  // A character of two units lies across every boundary but the first.
  const text = `${'a'.repeat(249_999)}${'😀'.repeat(130_000)}\u0000`;
  const ref = await bench.stores.content.store('somebody', text);
  const parts: string[] = [];
  for (let from: number | null = 0; from !== null;) {
    const part: ContentPart = await fetchPart({ ref, from });
    parts.push(part.text);
    from = part.next;
  }
  expect(parts.join('') === text).toBe(true);
  expect(parts.map((part) => part.length)).toEqual([249_999, 250_000, 10_001]);
  expect(parts.every((part) => part.isWellFormed())).toBe(true);
});

it('says what is not stored, and is not tried again', async () => {
  const error = await fetchPart({ ref: 'f'.repeat(64) }).catch((thrown: unknown) => thrown);
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) throw error;
  expect(error.cause).toMatchObject({ type: 'InvalidInput', nonRetryable: true });
  expect(error.cause.message).toMatch(
    /not that of a request for content: ref is f{64}, which is not in this worker's/,
  );
});
