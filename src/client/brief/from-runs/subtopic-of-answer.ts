import { AnswerStart } from '../../../contracts/answer/answer-start';
import type { Answer } from '../../../contracts/answer/answer';
import type { GivenSource } from '../../../contracts/brief/subtopic';
import { storedAnswer } from '../../answer/stored-answer';
import type { DescribedRun } from '../../described-run';
import { storedSources } from '../../given-sources';
import { readInputOf } from '../../read-run-input';
import type { StartRecords } from '../../starting/start-run';
import { givenSource, type KeptText } from './given-source';
import type { SubtopicsOfRun } from './subtopics-of-run';

const MAX_TITLE_CHARS = 300;

/** A number with the pages that an answer may put behind it: `[1: p.5-6]`. */
const PASSAGE_MARK = /\[(\d+): pp?\.[^\]]{1,40}\]/g;

/** What an answer says under its question, with the documents that it cites: whole where they are stored, else the passages. */
export async function subtopicOfAnswer(records: StartRecords, run: DescribedRun): Promise<SubtopicsOfRun> {
  const { runId, memo } = run;
  const answer = await storedAnswer(records, runId);
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
