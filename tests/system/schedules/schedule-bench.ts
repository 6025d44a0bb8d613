import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Client } from '@temporalio/client';
import type { Firing, Report, ScheduleHandle } from '../../../src/client';
import type { TestNamespace } from '../../support/temporal-server';
import { until } from '../../support/until';
import { type ModelBench, openModelBench } from '../model-runs/model-bench';

const NOTES = resolve(__dirname, '../../../examples/vitamin-d');
export const QUESTION = 'Does vitamin D supplementation improve health outcomes in adults?';

/** A folder of notes to which a test adds. */
export interface NotesFolder {
  /** Absolute. */
  path: string;
  /** Puts the notes from one place among the examples to another, the end excluded, into the folder. */
  add(from: number, to: number): Promise<void>;
}

/** A server with workers, and folders for schedules to read. */
export interface ScheduleBench extends ModelBench {
  newFolder(): Promise<NotesFolder>;
}

/** An empty folder of notes in another one. */
export async function newNotesFolder(parent: string): Promise<NotesFolder> {
  const names = (await readdir(NOTES)).filter((name) => name.endsWith('.md')).sort();
  const path = await mkdtemp(join(parent, 'notes-'));
  return {
    path,
    async add(from, to) {
      await mkdir(path, { recursive: true });
      for (const name of names.slice(from, to)) await cp(join(NOTES, name), join(path, name));
    },
  };
}

/** On the server that test files share, or on one that the test kills. */
export async function openScheduleBench(temporal?: TestNamespace): Promise<ScheduleBench> {
  const bench = await openModelBench(temporal);
  const folder = await mkdtemp(join(tmpdir(), 'colligate-schedule-'));
  return {
    ...bench,
    newFolder: () => newNotesFolder(folder),
    async close() {
      await bench.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The firings that have ended, first one first, as soon as they are as a test wants them. */
export async function endedFirings(
  schedule: ScheduleHandle,
  areThey: (firings: readonly Firing[]) => boolean,
): Promise<Firing[]> {
  const look = async (): Promise<Firing[]> =>
    (await schedule.describe()).firings
      .filter(({ status }) => status !== 'finding' && status !== 'running')
      .reverse();
  return until(look, areThey);
}

/**
 * Resolves when so many firings are over, what they keep for the next one included: only then does a further one not meet an
 * earlier one.
 */
export async function closedFirings(client: Client, name: string, count: number): Promise<void> {
  const query = `WorkflowType = "scheduled" AND TemporalScheduledById = "${name}" AND ExecutionStatus != "Running"`;
  await until(
    async () => {
      const closed: string[] = [];
      for await (const { workflowId } of client.workflow.list({ query })) closed.push(workflowId);
      return closed;
    },
    (closed) => closed.length >= count,
  );
}

/** What a firing left. */
export async function reportOf({ colligate }: ScheduleBench, { runId, problem }: Firing): Promise<Report> {
  const stored = await colligate.run(runId).report();
  if (stored === null) throw new Error(`run ${runId} left no report: ${problem ?? ''}`);
  return stored.report;
}
