import type { z } from 'zod';
import type { Warning } from '../../contracts/run/run';
import type { DescribedRun, StartRecords } from '../described-run';
import { readInputOf } from '../read-run-input';
import { heldSettings, joinWarning } from '../request-differences';
import { RunDiffersError } from '../run-errors';

/**
 * Joins a request to the running run of its id, where that is about the same: the same question over what `compare` finds to be
 * the same. Rejects with `RunDiffersError` else. What a run was started with holds, so settings that differ are a warning.
 */
export async function joinRun<Start extends { question: string }>(
  { client }: StartRecords,
  running: DescribedRun,
  schema: z.ZodType<Start>,
  wanted: { question: string; settings: object },
  compare: (has: Start) => Promise<{ differences: string[]; warnings: Warning[] }>,
): Promise<Warning[]> {
  const { runId } = running;
  const has = await readInputOf(client, running, schema);
  if (has === null)
    return [
      joinWarning(
        `What run "${runId}" was started with cannot be read, so it is not known to be about the same.`,
      ),
    ];
  const question = has.question.trim();
  const compared = await compare(has);
  const differences = [
    ...(question === wanted.question ? [] : [`its question is “${question}”`]),
    ...compared.differences,
  ];
  if (differences.length > 0) throw new RunDiffersError(runId, differences);
  return [...compared.warnings, ...heldSettings(runId, { ...has }, { ...wanted.settings })];
}
