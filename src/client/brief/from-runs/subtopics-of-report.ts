import { writingTexts } from '../../../texts/writing';
import type { GivenSource, GivenSubtopic } from '../../../contracts/brief/subtopic';
import type { Report } from '../../../contracts/report/report';
import { ASIDE_NOTE } from '../../../core/report/aside-note';
import { withoutOwnRemarks } from '../../../core/report/own-remarks';
import { createRunHandle } from '../../create-run-handle';
import type { DescribedRun, StartRecords } from '../../described-run';
import { givenSource } from './given-source';
import type { SubtopicsOfRun } from './subtopics-of-run';

const MAX_TITLE_CHARS = 300;

/** Where a row of a report goes on with what another source says against it. */
const OTHER_SIDE = new RegExp(`; (?:${writingTexts.against})(?=“)`, 'g');

/** What stands in the place of a claim that was set aside; in reports of 0.7 and before it was told by its number. */
const SET_ASIDE = new RegExp(`${ASIDE_NOTE}| ?\\(claim A\\d+ stood here: \\w+\\)`, 'g');

/** The sections of a report: what each says, without what the report remarks on it, and the sources that it cites with their texts. */
export async function subtopicsOfReport(
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
      title: title.slice(0, MAX_TITLE_CHARS),
      summary,
      ...(cited.length === 0 ? {} : { sources: cited.flatMap((n) => sources.get(n) ?? []) }),
    },
  ];
}
