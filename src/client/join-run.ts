import type { Client } from '@temporalio/client';
import type { ReportRunInput } from '../contracts/report/report-run';
import type { Warning } from '../contracts/run/run';
import type { ContentStore } from '../stores/content-store';
import type { DescribedRun } from './described-run';
import { givenSources, storedSources } from './given-sources';
import type { ReportRequest } from './report-request';
import { RunDiffersError } from './run-errors';
import { heldSettings, joinWarning, sourceDifferences } from './request-differences';
import { readRunInput } from './read-run-input';

/**
 * Joins a request to the running run of its id, where that is about the same: the same question over the same sources.
 * Rejects with `RunDiffersError` else. What a run was started with holds, so settings that differ are a warning.
 * `wanted` are the settings that the request would be started with.
 */
export async function joinRun(
  { client, content }: { client: Client; content: ContentStore },
  running: DescribedRun,
  request: ReportRequest,
  wanted: Partial<ReportRunInput>,
): Promise<Warning[]> {
  const { runId } = running;
  const has = await readRunInput(client, running);
  if (has === null)
    return [
      joinWarning(
        `What run "${runId}" was started with cannot be read, so it is not known to be about the same.`,
      ),
    ];
  const differences: string[] = [];
  const question = has.question.trim();
  if (question !== request.question.trim()) differences.push(`its question is “${question}”`);
  const given = await givenSources(content, request.sources);
  // A run whose first sources came by a message has none in its input.
  const held = has.manifestRef === undefined ? null : await storedSources(content, has.manifestRef);
  if (given !== null && held !== null) differences.push(...sourceDifferences(held, given));
  if (differences.length > 0) throw new RunDiffersError(runId, differences);

  const warnings: Warning[] = [];
  if (given === null || held === null)
    warnings.push(
      joinWarning(`The sources of run "${runId}" are not in this content store, and were not compared.`),
    );
  return [...warnings, ...heldSettings(runId, has, wanted)];
}
