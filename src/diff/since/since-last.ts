import type {
  ChangedFinding,
  DiffFinding,
  DiffSetAside,
  DiffSource,
  ReportDiff,
} from '../../contracts/report/report-diff';
import type { DiffSummary } from '../../contracts/report/diff-summary';
import type { ChangeKind, SinceLast } from '../../contracts/run/since';
import { sentenceKey } from '../../core/duplicates/near-duplicate-sentences';
import { inert } from '../../core/writing/quotation';
import { conflictLine } from '../conflict-lines';
import { sourceList, sourceText, statementText, titleText } from '../diff-text';
import { changeLines } from '../finding-change-lines';

/** A reader is told so many changes, and so many of a kind; `diff` tells all of them. */
const CHANGES_TOLD = 12;
const OF_A_KIND = 3;
const STATEMENT_WORDS = 30;

/** A comparison in short, for the later report to begin with: how much changed, and the most important of it. */
export function sinceLast(diff: ReportDiff): SinceLast {
  const all = changesOf(diff);
  const told = all.flatMap(([kind, lines]) => lines.slice(0, OF_A_KIND).map((line) => ({ kind, line })));
  const changes = told.slice(0, CHANGES_TOLD);
  const count = all.reduce((sum, [, lines]) => sum + lines.length, 0);
  return {
    runId: diff.before.id,
    asOf: diff.before.asOf,
    changed: isChanged(diff.summary),
    summary: diff.summary,
    changes,
    more: count - changes.length,
  };
}

export function sinceForgotten(runId: string): SinceLast {
  return { runId, asOf: null, changed: null, summary: null, changes: [], more: 0 };
}

function isChanged({ sources: { read, ...cited }, ...rest }: DiffSummary): boolean {
  return [...Object.values(rest), cited, read ?? {}]
    .flatMap((counts) => Object.entries<number>(counts))
    .some(([what, amount]) => amount > 0 && what !== 'unchanged' && what !== 'inBoth');
}

/** Each kind of change with its lines, in the order of their weight. */
function changesOf({ sources, findings, conflicts, setAside, gaps }: ReportDiff): [ChangeKind, string[]][] {
  const aside = new Set(setAside.newly.map(({ text }) => sentenceKey(text)));
  const isAside = (statement: string): boolean => aside.has(sentenceKey(statement));
  // What is gone because it was set aside is told as that.
  const goneToTell = [...findings.withdrawn, ...findings.notQuoted].filter(
    ({ statement }) => !isAside(statement),
  );
  const source = (list: readonly DiffSource[] = []): string[] => list.map(sourceText);
  return [
    ['source-came', source(sources.read?.came)],
    ['source-changed', source(sources.read?.changed)],
    ['source-went', source(sources.read?.went)],
    ['conflict-opened', conflicts.opened.map(conflictLine)],
    ['conflict-changed', conflicts.changed.map(({ after }) => conflictLine(after))],
    ['conflict-closed', conflicts.closed.map(conflictLine)],
    ['finding-changed', findings.changed.map((finding) => changedLine(finding, isAside))],
    ['finding-new', [...findings.new, ...findings.newlyQuoted].map(findingLine)],
    ['finding-gone', goneToTell.map(findingLine)],
    ['set-aside', setAside.newly.map(asideLine)],
    ['gap-opened', gaps.opened.map(inert)],
    ['gap-closed', gaps.closed.map(inert)],
  ];
}

function findingLine(finding: DiffFinding): string {
  return `${statementText(finding, STATEMENT_WORDS)} — ${sourceList(finding.sources)}; in ${titleText(finding.section)}`;
}

function changedLine({ after, changes }: ChangedFinding, isAside: (statement: string) => boolean): string {
  const tellable = changes.filter((change) => change.kind !== 'wording' || !isAside(change.before));
  const told = changeLines(tellable, after.sources.length).map((line) => line.replace(/^\s*- /, ''));
  return `${statementText(after, STATEMENT_WORDS)} — in ${titleText(after.section)}. ${told.join('; ')}`;
}

/** Which part lost a sentence, and why; the sentence itself is repeated in no report. */
function asideLine({ verdict, section }: DiffSetAside): string {
  return `one sentence in ${titleText(section)}, ${verdict}`;
}
