import type { ReportProblem } from '../../contracts/verification/verified-report';
import type { CitedReport, UnreadPart } from '../../cited-text/cited-report';
import type { SourceMatch } from '../../cited-text/matching/match-sources';
import { distinctBy } from '../../core/values/distinct-by';
import type { GivenSource } from './given-source';

interface CheckedReport {
  markdown: string;
  report: CitedReport;
  /** Of each entry. */
  matches: readonly SourceMatch[];
  sources: readonly GivenSource[];
  citedSources: ReadonlySet<string>;
}

/** What keeps claims of a report from being held against what they cite, and what nothing cites; in the order of its lines. */
export function reportProblems(checked: CheckedReport): ReportProblem[] {
  const ofText = [...unreadParts(checked), ...strayCitations(checked), ...entryProblems(checked)];
  const inOrder = ofText.sort((one, other) => (one.line ?? 0) - (other.line ?? 0));
  return [...inOrder, ...unusedSources(checked)];
}

function unreadParts({ report: { unread }, markdown }: CheckedReport): ReportProblem[] {
  return unread.map(({ kind, start, end, line }) => {
    const text = markdown.slice(start, end).trimEnd();
    const last = line + text.split('\n').length - 1;
    return {
      kind: 'not-read',
      line,
      text: text.split('\n')[0]?.trimEnd() ?? '',
      message: UNREAD[kind].replace('LAST', `${last}`),
      sourceIds: [],
    };
  });
}

const UNREAD: Record<UnreadPart['kind'], string> = {
  'open-code':
    'The block of code that begins here is never closed, so that everything down to line LAST is code, and is not read. Close it where its code ends.',
  code: 'This block of code holds a list of sources, and code is not read. Take out the lines that make it code.',
  html: 'This block of HTML cites, and its sentences are not read. Write them in Markdown.',
};

/** A label that is cited ten times is one problem, at its first place. */
function strayCitations({ report: { citations } }: CheckedReport): ReportProblem[] {
  const stray = citations.filter(({ entry }) => entry === null);
  const marks = countBy(citations.map(({ start }) => start));
  return distinctBy(stray, ({ form, label }) => `${form} ${label}`).map(
    ({ start, line, written, label }) => ({
      kind: 'citation-without-entry',
      line,
      // One mark may cite several, of which the others have entries.
      text: (marks.get(start) ?? 1) > 1 ? `${label} in ${written}` : written,
      message:
        "No entry of the report's list of sources answers to it, or more than one does. Add the entry, or correct the citation.",
      sourceIds: [],
    }),
  );
}

function entryProblems({ report, matches }: CheckedReport): ReportProblem[] {
  const cited = new Set(report.citations.map(({ entry }) => entry));
  return report.entries.flatMap(({ line, text }, at): ReportProblem[] => {
    const match = matches[at];
    const problems: ReportProblem[] = [];
    if (!cited.has(at)) {
      problems.push({
        kind: 'entry-not-cited',
        line,
        text,
        message: 'No statement cites this entry. Cite it where it is used, or take it out.',
        sourceIds: match?.source === undefined || match.source === null ? [] : [match.source],
      });
    }
    if (match !== undefined && match.between.length > 0) {
      problems.push({
        kind: 'source-ambiguous',
        line,
        text,
        message: `${match.between.length} of the given sources fit this entry, so that none is taken: ${match.between.join(', ')}. Give the entry its full address, or give one of them alone.`,
        sourceIds: match.between,
      });
    } else if (match === undefined || match.source === null) {
      problems.push({
        kind: 'source-missing',
        line,
        text,
        message:
          'None of the given sources fits this entry, so that what cites it cannot be checked. Give its text with --sources, with this address or title.',
        sourceIds: [],
      });
    }
    return problems;
  });
}

function unusedSources({ sources, citedSources }: CheckedReport): ReportProblem[] {
  return sources
    .filter(({ id }) => !citedSources.has(id))
    .map(({ id, title }) => ({
      kind: 'source-unused',
      line: null,
      text: title,
      message:
        'The report does not cite this source. Look whether it says something that the report leaves out.',
      sourceIds: [id],
    }));
}

function countBy(values: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
