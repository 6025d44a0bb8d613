import type { Report, ReportCitation } from '../../contracts/report/report';
import { READ_BY_WORDS } from '../../contracts/run/engines';
import type { SearchAccount } from '../../contracts/run/search';
import type { Check } from '../../texts/report';
import { reportTexts } from '../../texts/report';
import { judgeNotice } from '../judge/judge-notice';
import { inert } from '../writing/quotation';
import { type CitedMaterial, citationNotice } from './citation-report';
import { byWork } from './report-citations';
import type { ReportParts } from './report-parts';
import type { UnansweredTexts } from './unanswered';

export interface RunNotes {
  /** Why the report is incomplete, as a paragraph in Markdown; empty where it is not. */
  incomplete: string;
  /** What else a reader has to know of the run, in the same form. */
  limits: string;
  /** All of it with what only `report.json` and the page tell, a plain sentence each. */
  all: NonNullable<Report['notices']>;
}

export function runNotes(
  parts: ReportParts,
  { cited, check, unanswered }: { cited: CitedMaterial; check: Check; unanswered: UnansweredTexts | null },
): RunNotes {
  const incomplete = [
    ...(parts.endedEarly === null ? [] : [parts.endedEarly]),
    ...fallbackNotes(parts.warnings),
    ...(check.by !== 'quoting' && check.by !== 'words' ? [] : uncheckedNote(check)),
  ];
  const limits = [
    ...parts.shortfalls,
    ...parts.warnings.filter(({ code }) => code === READ_BY_WORDS).map(({ message }) => message),
    ...searchNotes(parts.search ?? null),
    ...(unanswered === null ? sourceNotes(cited.citations, { tellsWorks: parts.text === undefined }) : []),
  ];
  const others = [
    unanswered === null ? null : unanswered.notice,
    parts.judge === null ? null : judgeNotice(parts.judge),
    citationNotice(cited, parts.synthesis),
  ];
  return {
    incomplete: paragraphOf(incomplete),
    limits: paragraphOf(limits),
    all: [...new Set([...incomplete, ...limits, ...others.flatMap((note) => note ?? [])])],
  };
}

/** The others are told in `report.json` alone. */
const MOST_FALLBACKS = 5;

/** Why steps of a model were not done, or not whole, and what stands in their place. */
export function fallbackNotes(warnings: Report['warnings']): string[] {
  const told = warnings.flatMap(({ message, fallback }) => (fallback === undefined ? [] : [message]));
  const more = told.length - MOST_FALLBACKS;
  return more <= 0 ? told : [...told.slice(0, MOST_FALLBACKS), reportTexts.moreFallbacks(more)];
}

function paragraphOf(notes: readonly string[]): string {
  return [...new Set(notes)].map(inert).join(' ');
}

function uncheckedNote({ unchecked, stated }: Check): string[] {
  return unchecked === 0 ? [] : [reportTexts.notChecked(unchecked, stated)];
}

function searchNotes(search: SearchAccount | null): string[] {
  if (search === null) return [];
  const { indexes, queries, rounds, works } = search;
  const having = (outcome: string): number => works.filter((work) => work.outcome === outcome).length;
  const [abstracts, unread] = [having('abstract'), having('unread')];
  const read = works.length - unread;
  const told = { indexes, rounds, queries: queries.length, found: works.length, read, abstracts, unread };
  return [reportTexts.searched(told)];
}

/** A writer of a whole text is told which sources are parts of one work, and says so. */
function sourceNotes(
  citations: readonly ReportCitation[],
  { tellsWorks }: { tellsWorks: boolean },
): string[] {
  const withdrawn = citations.flatMap(({ title, retracted }) => (retracted === true ? [title] : []));
  const ofOneWork = byWork(citations).flatMap(({ work, parts: { length } }) =>
    work === undefined || length < 2 ? [] : [reportTexts.ofOneWork(length, citations.length, work.title)],
  );
  const bySummary = citations.filter(({ readInFull }) => !readInFull).length;
  return [
    ...(withdrawn.length === 0 ? [] : [reportTexts.retractedCited(withdrawn)]),
    ...(tellsWorks ? ofOneWork : []),
    ...(bySummary === 0 ? [] : [reportTexts.readBySummary(bySummary, citations.length)]),
  ];
}
