import type { ChangedConflict, ConflictChange, DiffConflict } from '../contracts/report/report-diff';
import { inert } from '../core/writing/quotation';
import { capitalised } from '../core/writing/within-sentence';
import { differingParts } from './differing-part';
import { quoted, sourceChangeLines, sourceList } from './diff-text';

export function conflictLines(conflict: DiffConflict): string {
  return [
    topicText(conflict),
    ...conflict.viewpoints.map(
      ({ statement, sources }) => `  - ${quoted(statement)} — ${sourceList(sources)}`,
    ),
    `  - ${inert(conflict.reason)} ${resolutionText(conflict.favoured)}`,
  ].join('\n');
}

export function conflictLine(conflict: DiffConflict): string {
  const views = conflict.viewpoints.map(
    ({ statement, sources }) => `${quoted(statement)} (${sourceList(sources)})`,
  );
  return `${topicText(conflict)}: ${views.join(' against ')}`;
}

export function changedConflictLines({ after, changes }: ChangedConflict): string {
  return [topicText(after), ...changes.flatMap(changeLines).map((line) => `  - ${line}`)].join('\n');
}

function topicText({ topic }: DiffConflict): string {
  return `**${capitalised(inert(topic).replace(/\.$/, ''))}**`;
}

function changeLines(change: ConflictChange): string[] {
  switch (change.kind) {
    case 'topic':
      return [inert(`Topic: ${change.before} → ${change.after}`)];
    case 'viewpoint': {
      if (change.before === null) return change.after === null ? [] : [`View added: ${quoted(change.after)}`];
      if (change.after === null) return [`View removed: ${quoted(change.before)}`];
      const { before, after } = differingParts(change.before, change.after);
      return [`View: ${quoted(before)} → ${quoted(after)}`];
    }
    case 'sources':
      return sourceChangeLines(change);
    case 'resolution':
      return [`Resolution: ${resolutionText(change.before)} → ${resolutionText(change.after)}`];
  }
}

function resolutionText(favoured: string | null): string {
  return favoured === null ? 'Both views are presented.' : `The evidence favours ${quoted(favoured)}.`;
}
