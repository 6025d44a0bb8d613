import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { RunKind } from '../../contracts/kinds';
import type { Warning } from '../../contracts/run/run';
import type { ContentStore } from '../../stores/content-store';
import type { EventLog } from '../../stores/event-log';
import type { GivenCounts } from '../../core/run/first-memo';
import { findRun, type DescribedRun } from '../described-run';
import { kindInWords, RunClosedError, RunDiffersError } from '../run-errors';
import { startOptions } from './start-options';

/** Where runs are started, and what they are given is stored. */
export interface StartRecords {
  client: Client;
  taskQueue: string;
  content: ContentStore;
  events: EventLog;
}

/** What a run was given, stored. */
interface StoredForRun extends GivenCounts {
  warnings: Warning[];
}

/** A run that is wanted, with everything checked that can be without storing anything. */
export interface WantedRun<Stored extends StoredForRun, Input> {
  /** Its workflow's name as well, which histories carry. */
  kind: RunKind;
  runId: string;
  /** Without white space at its ends. */
  question: string;
  again: boolean;
  searchAttributes: boolean;
  /** Looks whether the running run of the id, which is of this kind, is about the same; rejects with `RunDiffersError` else. */
  join(running: DescribedRun, stored: Stored | null): Promise<Warning[]>;
  /** Stores what the run is given, for it to hold. Records can be read only once, and so it is called once. */
  store(): Promise<Stored>;
  input(stored: Stored): Promise<Input>;
  details(stored: Stored): string;
}

/** What was started, or null sources where a run of the id is running already. */
export interface Started {
  runId: string;
  attached: boolean;
  sources: number | null;
  warnings: Warning[];
}

/**
 * Joins the running run of the id, refuses a closed one, or stores what the run is given and starts it (decisions 1 and 6). What
 * an ended run of the id has left stays until the new one has started.
 */
export async function startRun<Stored extends StoredForRun, Input>(
  records: StartRecords,
  wanted: WantedRun<Stored, Input>,
  given: Stored | null = null,
): Promise<Started> {
  const { client, events, taskQueue } = records;
  const { kind, runId, question, searchAttributes } = wanted;
  const [firstEvent] = await events.read(runId, { limit: 1 });
  const before = await findRun(records, runId);
  if (before?.isRunning) {
    if (before.kind !== kind) throw new RunDiffersError(runId, [`it is ${kindInWords(before.kind)}`]);
    return { runId, attached: true, sources: null, warnings: await wanted.join(before, given) };
  }
  if (before !== null && !wanted.again) throw new RunClosedError(runId);

  const stored = given ?? (await wanted.store());
  // Where the log has begun since it was looked at, somebody else has started the id: that run is looked at again.
  const [firstNow] = await events.read(runId, { limit: 1 });
  if (firstNow !== undefined && firstNow.at !== firstEvent?.at) return startRun(records, wanted, stored);
  const { sources, warnings } = stored;
  const [input, details, startedAt] = [await wanted.input(stored), wanted.details(stored), new Date()];
  const run = {
    kind,
    runId,
    taskQueue,
    question,
    startedAt,
    given: stored,
    input,
    details,
    searchAttributes,
  };
  try {
    await client.workflow.start(kind, {
      ...startOptions(run),
      workflowIdConflictPolicy: 'FAIL',
      // A closed run of the id is one that is to be replaced, or one that the server has yet to delete.
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    });
  } catch (error) {
    // Somebody else has started it in the meantime: that run is looked at.
    if (error instanceof WorkflowExecutionAlreadyStartedError) return startRun(records, wanted, stored);
    throw error;
  }
  // The run does it too; whoever follows it now is not to be told of the run before.
  if (firstEvent !== undefined) await events.clearRun(runId, { begunAt: firstEvent.at });
  return { runId, attached: false, sources, warnings };
}
