import type { DiffSummary } from '../../contracts/report/diff-summary';
import type { SinceLast } from '../../contracts/run/since';
import { ENGLISH, type Texts } from '../../texts/texts';
import { shownDate } from './as-of';
import { bullets, joinBlocks } from './markdown-blocks';
import { inert } from './quotation';

/** What changed since the run before, as Markdown: one sentence, and the most important changes where there are some. */
export function sinceMarkdown(since: SinceLast, texts: Texts): string {
  const { changes, more, changed } = since;
  if (changed !== true) return sinceSentence(since, texts);
  const lines = changes.map(({ kind, line }) => `**${texts.writing.changes[kind]}**: ${line}`);
  const rest = more === 0 ? [] : [texts.writing.moreChanges(more)];
  return joinBlocks([sinceSentence(since, texts), bullets([...lines, ...rest])]).trimEnd();
}

/** The same in one sentence, for whoever has no room for more. */
export function sinceSentence(
  { runId, asOf, changed, summary }: SinceLast,
  { writing }: Texts = ENGLISH,
): string {
  const run = inert(runId);
  if (asOf === null || summary === null) return writing.notKept(run);
  const date = writing.date(shownDate(asOf));
  if (changed === true)
    return writing.changed(run, date, [...toldOfSources(summary, writing), ...toldOfText(summary, writing)]);
  const { sources, findings, conflicts } = summary;
  return writing.nothingChanged(run, date, {
    sources: sources.read?.unchanged ?? null,
    findings: findings.unchanged,
    conflicts: conflicts.unchanged,
  });
}

type Writing = Texts['writing'];

function toldOfSources(
  { sources: { read, newlyCited, noLongerCited } }: DiffSummary,
  writing: Writing,
): string[] {
  if (read === null) return counts(writing, 'citedSources', { newlyCited, noLongerCited });
  const told = counts(writing, 'sources', { new: read.came, changed: read.changed, gone: read.went });
  return told.length === 0 ? [writing.sourcesAsBefore(read.unchanged)] : told;
}

function toldOfText({ findings, conflicts, gaps, setAside }: DiffSummary, writing: Writing): string[] {
  return [
    ...counts(writing, 'findings', {
      new: findings.new + findings.newlyQuoted,
      changed: findings.changed,
      gone: findings.withdrawn + findings.notQuoted,
      asBefore: findings.unchanged,
    }),
    ...counts(writing, 'conflicts', {
      new: conflicts.opened,
      changed: conflicts.changed,
      gone: conflicts.closed,
    }),
    ...counts(writing, 'gaps', { new: gaps.opened, closed: gaps.closed }),
    ...counts(writing, 'setAside', { newly: setAside.newly, noLonger: setAside.noLonger }),
  ];
}

/** `findings: 2 new, 1 gone`; nothing where there is none of any. */
function counts(
  { changedOf, changedHow }: Writing,
  what: keyof Writing['changedOf'],
  amounts: Partial<Record<keyof Writing['changedHow'], number>>,
): string[] {
  const told = (Object.keys(amounts) as (keyof typeof amounts)[]).flatMap((how) => {
    const amount = amounts[how] ?? 0;
    return amount > 0 ? [`${amount} ${changedHow[how]}`] : [];
  });
  return told.length === 0 ? [] : [`${changedOf[what]} ${told.join(', ')}`];
}
