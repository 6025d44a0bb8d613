import { BriefStart } from '../../../contracts/brief/brief-start';
import { GivenSubtopics, type GivenSubtopic } from '../../../contracts/brief/subtopic';
import { CLOSED_STATUSES } from '../../../core/run/closed-statuses';
import { describeRun, type DescribedRun } from '../../described-run';
import { readArtifact } from '../../pass-results/read-pass-result';
import { readInputOf } from '../../read-run-input';
import { InvalidRequestError } from '../../run-errors';
import type { StartRecords } from '../../starting/start-run';
import { subtopicOfAnswer } from './subtopic-of-answer';
import type { SubtopicsOfRun } from './subtopics-of-run';
import { subtopicsOfReport } from './subtopics-of-report';

/**
 * What ended runs found, as subtopics: each section of a report with the sources that it cites, an answer with its own, and the
 * subtopics of a brief as they were given. Rejects with `RunNotFoundError`, and with `InvalidRequestError` that names every run that
 * has none (yet), and why.
 */
export async function subtopicsOfRuns(
  records: StartRecords,
  runIds: readonly string[],
): Promise<GivenSubtopic[]> {
  const runs: DescribedRun[] = [];
  for (const runId of runIds) runs.push(await describeRun(records, runId));
  const found = await Promise.all(runs.map((run) => subtopicsOf(records, run)));
  const problems = found.flatMap((given) => ('problem' in given ? [given.problem] : []));
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return found.flatMap((given) => ('problem' in given ? [] : given.subtopics));
}

async function subtopicsOf(records: StartRecords, run: DescribedRun): Promise<SubtopicsOfRun> {
  const { runId, kind, memo } = run;
  if (!CLOSED_STATUSES.has(memo.status))
    return { problem: `run "${runId}" is ${memo.status}: wait until it has ended, or leave it out` };
  switch (kind) {
    case 'report':
      return subtopicsOfReport(records, run);
    case 'answer':
      return subtopicOfAnswer(records, run);
    case 'brief':
      return subtopicsOfBrief(records, run);
  }
}

/** As they were given: what a brief made of them is for its readers. */
async function subtopicsOfBrief(records: StartRecords, run: DescribedRun): Promise<SubtopicsOfRun> {
  const input = await readInputOf(records.client, run, BriefStart);
  const subtopics =
    input?.subtopics ?? (await readArtifact(records.content, input?.subtopicsRef, GivenSubtopics));
  return subtopics === null
    ? { problem: `the subtopics of run "${run.runId}" are not in this content store` }
    : { subtopics };
}
