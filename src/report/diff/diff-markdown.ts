import type { ChangedFinding, DiffFinding, DiffSource, ReportDiff } from '../../contracts/report';
import { confidenceText } from '../../evidence/corroboration';
import { groupBy } from '../../lib/iterables';
import { bullets, joinBlocks } from '../../lib/strings';
import { toSafeLine } from '../../lib/untrusted-text';
import {
  changedConflictLines,
  changeLines,
  conflictLines,
  quotedExcerpt,
  sourceList,
  sourceText,
  statementText,
  titleText,
} from './diff-lines';
import { setAsideLine } from './diff-reports';

const MOVED_WORDS = 18;
const MAX_SOURCES = 20;

/** The comparison as Markdown. Source text is escaped. */
export function diffMarkdown(diff: ReportDiff): string {
  const blocks = [
    `# What changed from \`${diff.before.id}\` to \`${diff.after.id}\``,
    ...diff.notes.map((note) => `> ${toSafeLine(note)}`),
    summary(diff),
    ...readParts(diff),
    ...findingParts(diff),
    ...listPart(
      'Claims newly set aside',
      diff.setAside.newly.map((claim) => setAsideLine(claim, 'It stood before.')),
    ),
    ...listPart(
      'Claims not set aside any more',
      diff.setAside.noLonger.map((claim) => setAsideLine(claim, 'It stands now.')),
    ),
    ...conflictParts(diff),
    ...listPart('Gaps opened', diff.gaps.opened.map(toSafeLine)),
    ...listPart('Gaps closed', diff.gaps.closed.map(toSafeLine)),
    ...listPart('Sources newly cited', diff.sources.newlyCited.map(sourceText)),
    ...listPart('Sources no longer cited', diff.sources.noLongerCited.map(sourceText)),
    ...listPart('Sections', sectionLines(diff)),
  ];
  return joinBlocks(blocks);
}

function summary(diff: ReportDiff): string {
  const { findings, setAside, conflicts, gaps, sources } = diff.summary;
  const moved = diff.findings.changed.filter(isOnlyMoved).length;
  const { read, ...cited } = sources;
  const differs = [findings, setAside, conflicts, gaps, cited, read ?? {}]
    .flatMap((counts) => Object.entries<number>(counts))
    .some(([what, amount]) => amount > 0 && what !== 'unchanged' && what !== 'inBoth');
  const lines = [
    ...(read === null
      ? []
      : [
          `- Sources: ${read.changed} changed, ${read.came} came, ${read.went} went, ${read.unchanged} as they were`,
        ]),
    `- Findings: ${findings.new} new, ${findings.newlyQuoted} newly quoted, ${findings.changed} changed${moved === 0 ? '' : ` (${moved} only moved)`}, ${findings.notQuoted} not quoted any more, ${findings.withdrawn} withdrawn, ${findings.unchanged} unchanged`,
    ...(setAside.newly + setAside.noLonger + setAside.inBoth === 0
      ? []
      : [
          `- Claims set aside: ${setAside.newly} newly, ${setAside.noLonger} no longer, ${setAside.inBoth} in both`,
        ]),
    `- Conflicts: ${conflicts.opened} opened, ${conflicts.closed} closed, ${conflicts.changed} changed, ${conflicts.unchanged} unchanged`,
    `- Gaps: ${gaps.opened} opened, ${gaps.closed} closed, ${gaps.unchanged} unchanged`,
    `- Citations: ${cited.newlyCited} sources newly cited, ${cited.noLongerCited} no longer cited, ${cited.inBoth} in both`,
  ].join('\n');
  return differs
    ? lines
    : `Nothing differs: the same findings, conflicts, gaps and sources stand in both reports.\n\n${lines}`;
}

function readParts({ sources: { read } }: ReportDiff): string[] {
  if (read === null) return [];
  return [
    ...sourcePart('Sources that changed', read.changed),
    ...sourcePart('Sources that came', read.came),
    ...sourcePart('Sources that went', read.went),
  ];
}

function sourcePart(heading: string, sources: readonly DiffSource[]): string[] {
  const shown = sources.slice(0, MAX_SOURCES).map(sourceText);
  const more = sources.length - shown.length;
  return listPart(heading, more === 0 ? shown : [...shown, `and ${more} more`], sources.length);
}

function findingParts({ findings }: ReportDiff): string[] {
  const onlyMoved = findings.changed.filter(isOnlyMoved);
  const changed = findings.changed.filter((finding) => !onlyMoved.includes(finding));
  return [
    ...listPart(
      'New findings',
      findings.new.map((finding) => findingLines(finding, 'Told before as part of')),
    ),
    ...listPart(
      'Findings newly quoted, of sources that stand as they stood',
      findings.newlyQuoted.map((finding) => findingLines(finding, 'Told before as part of')),
    ),
    ...listPart(
      'Changed findings',
      changed.map(({ after, changes }) =>
        [
          `${statementText(after)}\n  — ${sourceList(after.sources)}`,
          ...changeLines(changes, after.sources.length),
        ].join('\n'),
      ),
    ),
    ...listPart(
      'Findings not quoted any more, of sources that stand as they stood',
      findings.notQuoted.map((finding) => findingLines(finding, 'Now told as part of')),
    ),
    ...listPart(
      'Withdrawn findings',
      findings.withdrawn.map((finding) => findingLines(finding, 'Now told as part of')),
    ),
    ...listPart('Findings that only moved to another section', movedLines(onlyMoved), onlyMoved.length),
  ];
}

function isOnlyMoved({ changes }: ChangedFinding): boolean {
  return changes.every(({ kind }) => kind === 'section');
}

function findingLines(finding: DiffFinding, partOf: string): string {
  const line = `${statementText(finding)}\n  — ${sourceList(finding.sources)}; ${confidenceText(finding.confidence)}`;
  return finding.partOf === undefined ? line : `${line}\n  - ${partOf}: ${quotedExcerpt(finding.partOf)}`;
}

function movedLines(moved: ReportDiff['findings']['changed']): string[] {
  const ways = groupBy(
    moved,
    ({ before, after }) => `From ${titleText(before.section)} to ${titleText(after.section)}:`,
  );
  return [...ways].map(([way, those]) =>
    [way, ...those.map(({ after }) => `  - ${statementText(after, MOVED_WORDS)}`)].join('\n'),
  );
}

function conflictParts({ conflicts }: ReportDiff): string[] {
  return [
    ...listPart('Conflicts opened', conflicts.opened.map(conflictLines)),
    ...listPart('Conflicts closed', conflicts.closed.map(conflictLines)),
    ...listPart('Conflicts changed', conflicts.changed.map(changedConflictLines)),
  ];
}

function sectionLines({ sections }: ReportDiff): string[] {
  return [
    ...sections.added.map((title) => `New: ${titleText(title)}`),
    ...sections.removed.map((title) => `Gone: ${titleText(title)}`),
    ...sections.renamed.map(({ before, after }) => `Renamed: ${titleText(before)} → ${titleText(after)}`),
  ];
}

function listPart(heading: string, items: readonly string[], count = items.length): string[] {
  return items.length === 0 ? [] : [`## ${heading} (${count})`, bullets(items)];
}
