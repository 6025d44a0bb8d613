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
import { ASIDE_NOTE, withoutOwnRemarks } from '../report/claims';
import { isWebAddress } from '../sources/record';
import type { ContentStore } from '../stores/content-store';
import { InvalidRequestError } from './client-errors';
import { completionOf, readArtifact, storedResult } from './pass-results';
import { readInputOf } from './run-exports';
import { createRunHandle } from './run-handle';
import { type DescribedRun, describeRun, type StartRecords } from './run-records';
import { storedSources } from './source-input';

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

const MAX_SUBTOPIC_TITLE_CHARS = 300;

/** Where a row of a report goes on with what another source says against it. */
const OTHER_SIDE = new RegExp(`; (?:${writingTexts.against})(?=“)`, 'g');

/** What stands in the place of a claim that was set aside; in reports of 0.7 and before it was told by its number. */
const SET_ASIDE = new RegExp(`${ASIDE_NOTE}| ?\\(claim A\\d+ stood here: \\w+\\)`, 'g');

/** The sections of a report: what each says, without what the report remarks on it, and the sources that it cites with their texts. */
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
    sources.set(citation.n, await givenSource(records.content, citation, kept.get(citation.sourceId)));
  const subtopics = withBothSides(report).flatMap((section) => subtopicOf(section, sources));
  return subtopics.length === 0
    ? { problem: `the report of run "${runId}" has no section: nothing in its sources answers its question` }
    : { subtopics };
}

type Section = Report['sections'][number];

/**
 * The sections with what only the report's list of disagreements tells: each side stands in the section that cites most of
 * what disagrees, so that whoever reads the sections finds both.
 */
function withBothSides({ sections, conflicts }: Report): Section[] {
  const told = sections.map(({ markdown }) => markdown).join('\n');
  const sides = conflicts.flatMap(({ viewpoints }) => {
    const cited = viewpoints.flatMap(({ citations }) => citations);
    const place = sectionOf(sections, cited);
    return viewpoints.map((viewpoint) => ({ ...viewpoint, statement: unended(viewpoint.statement), place }));
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

function sectionOf(sections: readonly Section[], cited: readonly number[]): Section | undefined {
  const share = ({ citations }: Section): number => cited.filter((n) => citations.includes(n)).length;
  return [...sections].sort((a, b) => share(b) - share(a))[0];
}

function unended(statement: string): string {
  return statement.replace(/\.$/, '');
}

/** The numbers of a section name the sources in its own list. */
function subtopicOf(
  { title, markdown, citations }: Section,
  sources: ReadonlyMap<number, GivenSource>,
): GivenSubtopic[] {
  // Each side is a statement of its own, which a brief holds against the other.
  const said = markdown
    .replace(SET_ASIDE, '')
    .replace(OTHER_SIDE, '.\n- ')
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

interface KeptText {
  contentRef: ArtifactRef;
  pages?: Page[] | undefined;
  license?: string | undefined;
}

async function givenSource(
  content: ContentStore,
  { sourceId, url, title, author, site, publishedAt, accessedAt }: CitedSource,
  kept: KeptText | undefined,
): Promise<GivenSource> {
  const text = kept === undefined ? null : await content.retrieve(kept.contentRef);
  return {
    // What has an address is known by that, in whichever run it was read.
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
