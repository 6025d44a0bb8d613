import { writingTexts } from '../../texts/writing';
import type { DiffSummary } from '../../contracts/report/diff-summary';
import type { SinceLast } from '../../contracts/run/since';
import { shownDate } from './attribution';
import { bullets, joinBlocks } from './markdown-blocks';
import { inert } from './quotation';

/** What changed since the run before, as Markdown: one sentence, and the most important changes where there are some. */
export function sinceMarkdown(since: SinceLast): string {
  const { changes, more, changed } = since;
  if (changed !== true) return sinceSentence(since);
  const lines = changes.map(({ kind, line }) => `**${writingTexts.changes[kind]}**: ${line}`);
  const rest = more === 0 ? [] : [writingTexts.moreChanges(more)];
  return joinBlocks([sinceSentence(since), bullets([...lines, ...rest])]).trimEnd();
}

export function sinceSentence({ runId, asOf, changed, summary }: SinceLast): string {
  const run = inert(runId);
  if (asOf === null || summary === null) return writingTexts.notKept(run);
  const date = writingTexts.date(shownDate(asOf));
  if (changed === true)
    return writingTexts.changed(run, date, [...toldOfSources(summary), ...toldOfText(summary)]);
  const { sources, findings, conflicts } = summary;
  return writingTexts.nothingChanged(run, date, {
    sources: sources.read?.unchanged ?? null,
    findings: findings.unchanged,
    conflicts: conflicts.unchanged,
  });
}

function toldOfSources({ sources: { read, newlyCited, noLongerCited } }: DiffSummary): string[] {
  if (read === null) return counts('citedSources', { newlyCited, noLongerCited });
  const told = counts('sources', { new: read.came, changed: read.changed, gone: read.went });
  return told.length === 0 ? [writingTexts.sourcesAsBefore(read.unchanged)] : told;
}

function toldOfText({ findings, conflicts, gaps, setAside }: DiffSummary): string[] {
  return [
    ...counts('findings', {
      new: findings.new + findings.newlyQuoted,
      changed: findings.changed,
      gone: findings.withdrawn + findings.notQuoted,
      asBefore: findings.unchanged,
    }),
    ...counts('conflicts', {
      new: conflicts.opened,
      changed: conflicts.changed,
      gone: conflicts.closed,
    }),
    ...counts('gaps', { new: gaps.opened, closed: gaps.closed }),
    ...counts('setAside', { newly: setAside.newly, noLonger: setAside.noLonger }),
  ];
}

/** `findings: 2 new, 1 gone`; nothing where there is none of any. */
function counts(
  what: keyof (typeof writingTexts)['changedOf'],
  amounts: Partial<Record<keyof (typeof writingTexts)['changedHow'], number>>,
): string[] {
  const told = (Object.keys(amounts) as (keyof typeof amounts)[]).flatMap((how) => {
    const amount = amounts[how] ?? 0;
    return amount > 0 ? [`${amount} ${writingTexts.changedHow[how]}`] : [];
  });
  return told.length === 0 ? [] : [`${writingTexts.changedOf[what]} ${told.join(', ')}`];
}
