import type { DiffSummary } from '../../contracts/report/diff-summary';
import type { ChangeKind, SinceLast } from '../../contracts/run/since';
import { shownDate } from './as-of';
import { count } from './count';
import { bullets, joinBlocks } from './markdown-blocks';
import { inert } from './quotation';

export const SINCE_HEADING = 'Since the last report';

const LABELS: Record<ChangeKind, string> = {
  'source-came': 'New source',
  'source-changed': 'Source with another text',
  'source-went': 'Source gone',
  'conflict-opened': 'New conflict',
  'conflict-changed': 'Conflict changed',
  'conflict-closed': 'Conflict gone',
  'finding-changed': 'Changed',
  'finding-new': 'New',
  'finding-gone': 'Gone',
  'set-aside': 'Set aside now',
  'gap-opened': 'New gap',
  'gap-closed': 'Gap closed',
};

/** What changed since the run before, as Markdown: one sentence, and the most important changes where there are some. */
export function sinceMarkdown(since: SinceLast): string {
  const { changes, more, changed } = since;
  if (changed !== true) return sinceSentence(since);
  const lines = changes.map(({ kind, line }) => `**${LABELS[kind]}**: ${line}`);
  const rest = more === 0 ? [] : [`and ${more} more; \`diff\` of the two runs lists all of them`];
  return joinBlocks([sinceSentence(since), bullets([...lines, ...rest])]).trimEnd();
}

/** The same in one sentence, for whoever has no room for more. */
export function sinceSentence({ runId, asOf, changed, summary }: SinceLast): string {
  const run = `run ${inert(runId)}`;
  if (asOf === null || summary === null)
    return `The result of ${run}, the one before, is not kept any more, so what changed since is not known.`;
  const since = `Since ${run} of ${shownDate(asOf)}`;
  if (changed !== true) return `${since} nothing changed${standing(summary)}.`;
  return `${since}: ${[...toldOfSources(summary), ...toldOfText(summary)].join('; ')}.`;
}

function standing({ sources: { read }, findings, conflicts }: DiffSummary): string {
  const same = [
    ...(read === null ? [] : [count(read.unchanged, 'source')]),
    count(findings.unchanged, 'finding'),
    ...(conflicts.unchanged === 0 ? [] : [count(conflicts.unchanged, 'conflict')]),
  ];
  return `: ${same.join(', ')} as before`;
}

function toldOfSources({ sources: { read, newlyCited, noLongerCited } }: DiffSummary): string[] {
  const cited = counts('sources cited', { 'newly cited': newlyCited, 'no longer cited': noLongerCited });
  if (read === null) return cited;
  const told = counts('sources', { new: read.came, changed: read.changed, gone: read.went });
  return told.length === 0 ? [`sources as before (${read.unchanged})`] : told;
}

function toldOfText({ findings, conflicts, gaps, setAside }: DiffSummary): string[] {
  const told = [
    ...counts('findings', {
      new: findings.new + findings.newlyQuoted,
      changed: findings.changed,
      gone: findings.withdrawn + findings.notQuoted,
      'as before': findings.unchanged,
    }),
    ...counts('conflicts', { new: conflicts.opened, changed: conflicts.changed, gone: conflicts.closed }),
    ...counts('gaps', { new: gaps.opened, closed: gaps.closed }),
    ...counts('claims set aside', { newly: setAside.newly, 'no longer': setAside.noLonger }),
  ];
  return told;
}

/** `findings: 2 new, 1 gone`; nothing where there is none of any. */
function counts(what: string, amounts: Record<string, number>): string[] {
  const told = Object.entries(amounts).filter(([, amount]) => amount > 0);
  return told.length === 0 ? [] : [`${what} ${told.map(([how, amount]) => `${amount} ${how}`).join(', ')}`];
}
