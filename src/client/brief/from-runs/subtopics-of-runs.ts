import { BriefStart } from '../../../contracts/brief/brief-start';
import { GivenSubtopics, type GivenSubtopic, type GivenSource } from '../../../contracts/brief/subtopic';
import { CLOSED_STATUSES } from '../../../core/run/closed-statuses';
import { describeRun, type DescribedRun, type StartRecords } from '../../described-run';
import { readArtifact } from '../../pass-results/read-pass-result';
import { readInputOf } from '../../read-run-input';
import { InvalidRequestError } from '../../run-errors';
import type { SubtopicsOfRun } from './subtopics-of-run';
import { subtopicsOfReport } from './subtopics-of-report';
import { AnswerStart } from '../../../contracts/answer/answer-start';
import { Answer } from '../../../contracts/answer/answer';
import { completionOf, storedResult } from '../../stored-result';
import { storedSources } from '../../given-sources';
import { givenSource, type KeptText } from './given-source';

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
  // Who followed its log to the end has no more to wait for, though the server takes a moment longer to close it.
  const hasResult = async (): Promise<boolean> => (await completionOf(records.events, runId)) !== null;
  if (!CLOSED_STATUSES.has(memo.status) && !(await hasResult()))
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

const MAX_TITLE_CHARS = 300;

/** A number with the pages that an answer may put behind it: `[1: p.5-6]`. */
const PASSAGE_MARK = /\[(\d+): pp?\.[^\]]{1,40}\]/g;

/** What an answer says under its question, with the documents that it cites: whole where they are stored, else the passages. */
async function subtopicOfAnswer(records: StartRecords, run: DescribedRun): Promise<SubtopicsOfRun> {
  const { runId, memo } = run;
  const answer = await storedResult(records, runId, Answer);
  if (answer === null) return { problem: `request "${runId}" is ${memo.status} and left no answer` };
  if (answer.outcome !== 'answered')
    return {
      problem: `request "${runId}" has no answer that says anything: its outcome is ${answer.outcome}`,
    };
  const input = await readInputOf(records.client, run, AnswerStart);
  const corpus =
    input?.manifestRef === undefined ? null : await storedSources(records.content, input.manifestRef);
  const kept = new Map(corpus?.map((source) => [source.id, source]));
  const sources: GivenSource[] = [];
  for (const citation of answer.citations)
    sources.push(await documentOf(records, citation, kept.get(citation.sourceId)));
  const title = answer.question.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARS);
  const summary = withoutDisclaimer(answer).replace(PASSAGE_MARK, '[$1]');
  return { subtopics: [{ title, summary, ...(sources.length === 0 ? {} : { sources }) }] };
}

/** A number stands for a passage: what was observed, and is no stored document, has the passage for its text. */
async function documentOf(
  { content }: StartRecords,
  citation: Answer['citations'][number],
  kept: KeptText | undefined,
): Promise<GivenSource> {
  const source = await givenSource(
    content,
    { ...citation, title: citation.title || citation.document },
    kept,
  );
  return source.content === undefined ? { ...source, content: citation.text } : source;
}

function withoutDisclaimer({ answer, disclaimer }: Answer): string {
  return disclaimer === null ? answer : answer.replace(disclaimer, '').trim();
}
