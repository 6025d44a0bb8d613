import { Answer } from '../contracts/answer';
import type { Report } from '../contracts/report';
import { CLOSED_STATUSES } from '../contracts/run-status';
import type { ArtifactRef, Page } from '../contracts/source';
import {
  AnswerStart,
  BriefStart,
  type GivenSource,
  type GivenSubtopic,
  GivenSubtopics,
} from '../contracts/start';
import { writingTexts } from '../contracts/wording';
import { REJECTED_CLAIM_NOTE, withoutOwnRemarks } from '../report/claims';
import { isWebAddress } from '../sources/record';
import type { ContentStore } from '../stores/content-store';
import { InvalidRequestError } from './client-errors';
import { readArtifact, readCompletion, readStoredResult } from './pass-results';
import { createRunHandle } from './run-handle';
import { type DescribedRun, describeRun, type StartRecords } from './run-records';
import { readRunInput } from './run-sources';
import { readStoredSources } from './source-input';

/**
 * Converts ended runs to subtopics: each section of a report with its cited sources, an answer with its own, and the subtopics of
 * a brief as given. Rejects with `RunNotFoundError`, and with `InvalidRequestError` that names every run without a result (yet).
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
  // A caller that has followed the log to its end need not wait for the server to close the run.
  const hasResult = async (): Promise<boolean> => (await readCompletion(records.events, runId)) !== null;
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

/** The subtopics as given. The text of the brief is not used. */
async function subtopicsOfBrief(records: StartRecords, run: DescribedRun): Promise<SubtopicsOfRun> {
  const input = await readRunInput(records.client, run, BriefStart);
  const subtopics =
    input?.subtopics ?? (await readArtifact(records.content, input?.subtopicsRef, GivenSubtopics));
  return subtopics === null
    ? { problem: `the subtopics of run "${run.runId}" are not in this content store` }
    : { subtopics };
}

const MAX_TITLE_CHARS = 300;

/** A citation number with pages: `[1: p.5-6]`. */
const PASSAGE_MARK = /\[(\d+): pp?\.[^\]]{1,40}\]/g;

/** The answer as one subtopic with the cited documents: whole if they are stored, otherwise the cited passages. */
async function subtopicOfAnswer(records: StartRecords, run: DescribedRun): Promise<SubtopicsOfRun> {
  const { runId, memo } = run;
  const answer = await readStoredResult(records, runId, Answer);
  if (answer === null) return { problem: `request "${runId}" is ${memo.status} and left no answer` };
  if (answer.outcome !== 'answered')
    return {
      problem: `request "${runId}" has no answer that says anything: its outcome is ${answer.outcome}`,
    };
  const input = await readRunInput(records.client, run, AnswerStart);
  const corpus =
    input?.manifestRef === undefined ? null : await readStoredSources(records.content, input.manifestRef);
  const kept = new Map(corpus?.map((source) => [source.id, source]));
  const sources: GivenSource[] = [];
  for (const citation of answer.citations)
    sources.push(await citedDocument(records, citation, kept.get(citation.sourceId)));
  const title = answer.question.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARS);
  const summary = withoutDisclaimer(answer).replace(PASSAGE_MARK, '[$1]');
  return { subtopics: [{ title, summary, ...(sources.length === 0 ? {} : { sources }) }] };
}

/** A citation number refers to a passage. An observation is not a stored document, so its text is the passage. */
async function citedDocument(
  { content }: StartRecords,
  citation: Answer['citations'][number],
  kept: StoredText | undefined,
): Promise<GivenSource> {
  const source = await toGivenSource(
    content,
    { ...citation, title: citation.title || citation.document },
    kept,
  );
  return source.content === undefined ? { ...source, content: citation.text } : source;
}

function withoutDisclaimer({ answer, disclaimer }: Answer): string {
  return disclaimer === null ? answer : answer.replace(disclaimer, '').trim();
}

const MAX_SUBTOPIC_TITLE_CHARS = 300;

/** Start of an opposing statement of another source in a row of a report. */
const OPPOSING_STATEMENT = new RegExp(`; (?:${writingTexts.against})(?=“)`, 'g');

/** Placeholders of rejected claims. Reports of 0.7 and before have the claim's number. */
const REJECTED_CLAIM = new RegExp(`${REJECTED_CLAIM_NOTE}| ?\\(claim A\\d+ stood here: \\w+\\)`, 'g');

/** Each section without the report's own remarks, with the texts of its cited sources. */
async function subtopicsOfReport(
  records: StartRecords,
  { runId, memo }: DescribedRun,
): Promise<SubtopicsOfRun> {
  const run = createRunHandle(records, runId);
  const report = (await run.report())?.report;
  if (report === undefined) return { problem: `run "${runId}" is ${memo.status} and left no report` };
  const catalogue = await run.passResult('gather');
  const kept = new Map(catalogue?.sources.map((source) => [source.id, source]));
  const sources = new Map<number, GivenSource>();
  for (const citation of report.citations)
    sources.set(citation.n, await toGivenSource(records.content, citation, kept.get(citation.sourceId)));
  const subtopics = addMissingViewpoints(report).flatMap((section) => subtopicOf(section, sources));
  return subtopics.length === 0
    ? { problem: `the report of run "${runId}" has no section: nothing in its sources answers its question` }
    : { subtopics };
}

type Section = Report['sections'][number];

/**
 * Adds statements that only the report's list of conflicts has. Both sides go to the section that cites most of their sources, so
 * that readers of the sections find both.
 */
function addMissingViewpoints({ sections, conflicts }: Report): Section[] {
  const told = sections.map(({ markdown }) => markdown).join('\n');
  const sides = conflicts.flatMap(({ viewpoints }) => {
    const cited = viewpoints.flatMap(({ citations }) => citations);
    const place = findCitingSection(sections, cited);
    return viewpoints.map((viewpoint) => ({
      ...viewpoint,
      statement: stripFullStop(viewpoint.statement),
      place,
    }));
  });
  return sections.map((section) => {
    const missing = sides.filter(
      ({ statement, place, citations }) =>
        place === section && citations.length > 0 && !told.includes(statement),
    );
    if (missing.length === 0) return section;
    const sentences = missing.map(
      ({ statement, citations }) => `${statement} ${citations.map((n) => `[${n}]`).join('')}.`,
    );
    return {
      ...section,
      markdown: `${section.markdown}\n\n${sentences.join(' ')}`,
      citations: [...new Set([...section.citations, ...missing.flatMap(({ citations }) => citations)])],
    };
  });
}

function findCitingSection(sections: readonly Section[], cited: readonly number[]): Section | undefined {
  const share = ({ citations }: Section): number => cited.filter((n) => citations.includes(n)).length;
  return [...sections].sort((a, b) => share(b) - share(a))[0];
}

function stripFullStop(statement: string): string {
  return statement.replace(/\.$/, '');
}

/** Citation numbers are changed to positions in the section's own list of sources. */
function subtopicOf(
  { title, markdown, citations }: Section,
  sources: ReadonlyMap<number, GivenSource>,
): GivenSubtopic[] {
  // Each side becomes a statement of its own, so that a brief can compare them.
  const said = markdown
    .replace(REJECTED_CLAIM, '')
    .replace(OPPOSING_STATEMENT, '.\n- ')
    .split('\n')
    .map(withoutOwnRemarks)
    .join('\n');
  const cited = citations.filter((n) => sources.has(n));
  const summary = said.replace(/\[(\d+)\]/g, (mark, n: string) => {
    const place = cited.indexOf(Number(n));
    return place < 0 ? mark : `[${place + 1}]`;
  });
  if (summary.trim() === '') return [];
  return [
    {
      title: title.slice(0, MAX_SUBTOPIC_TITLE_CHARS),
      summary,
      ...(cited.length === 0 ? {} : { sources: cited.flatMap((n) => sources.get(n) ?? []) }),
    },
  ];
}

type SubtopicsOfRun = { subtopics: GivenSubtopic[] } | { problem: string };

interface CitedSource {
  sourceId: string;
  url: string | null;
  title: string;
  author?: string | undefined;
  site?: string | undefined;
  publishedAt?: string | undefined;
  accessedAt?: string | undefined;
}

interface StoredText {
  contentRef: ArtifactRef;
  pages?: Page[] | undefined;
  license?: string | undefined;
}

async function toGivenSource(
  content: ContentStore,
  { sourceId, url, title, author, site, publishedAt, accessedAt }: CitedSource,
  kept: StoredText | undefined,
): Promise<GivenSource> {
  const text = kept === undefined ? null : await content.retrieve(kept.contentRef);
  return {
    // A web source is identified by its URL in every run.
    ...(isWebAddress(url) ? { url } : { id: sourceId }),
    ...(title === '' ? {} : { title }),
    ...(author === undefined ? {} : { author }),
    ...(site === undefined ? {} : { site }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(accessedAt === undefined ? {} : { accessedAt }),
    ...(kept?.license === undefined ? {} : { license: kept.license }),
    ...(text === null || text.trim() === '' ? {} : { content: text }),
    ...(text === null || kept?.pages === undefined ? {} : { pages: kept.pages }),
  };
}
