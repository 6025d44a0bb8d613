import { runTexts } from '../../texts/run';
import { type RunSnapshot, snapshotFacts, type SnapshotFact } from '../../core/run/run-snapshot';
import { localClock } from '../../core/run/endpoint-limit';
import { greatest } from '../../core/values/extremes';
import { elapsedClock } from '../terminal/duration';
import { safeExcerpt, safeLine } from '../terminal/safe-text';

const FACT_CHARS = 300;

const IN_BLOCK: readonly SnapshotFact['label'][] = ['at', 'sources', 'sections', 'parts', 'waiting', 'used'];

export function progressBlock(snapshot: RunSnapshot, now: number): string[] {
  const elapsedMs = now - Date.parse(snapshot.startedAt);
  const facts = snapshotFacts(snapshot, localClock(new Date(now))).filter(({ label }) =>
    IN_BLOCK.includes(label),
  );
  const warnings = snapshot.warnings.length;
  const status = runTexts.status(runTexts.statuses[snapshot.status], elapsedClock(elapsedMs));
  return labelled([
    [runTexts.labels.status, status],
    ...facts.map(({ name, text }): [string, string] => [name, safeExcerpt(text, FACT_CHARS)]),
    ...(warnings === 0 ? [] : [[runTexts.labels.warnings, String(warnings)] as [string, string]]),
  ]);
}

const LEAST_COLUMNS = 8;

export function labelled(lines: readonly (readonly [label: string, text: string])[]): string[] {
  const columns = greatest([LEAST_COLUMNS, ...lines.map(([label]) => label.length)]);
  return lines.map(([label, text]) => `${label.padEnd(columns)} ${text}`);
}

/**
 * `Pass 2/4 · Deep diving into top 50 sources… · 3 of 7 sections read · 12 calls (3 from the cache), 40,210 tokens · 0:12 · Sleep`,
 * with the status in front unless it is plain running.
 */
export function progressLine(snapshot: RunSnapshot, elapsedMs: number): string {
  const { section, usage } = snapshot;
  return [
    progressMilestone(snapshot),
    ...(usage.calls === 0 ? [] : [runTexts.used(usage)]),
    elapsedClock(elapsedMs),
    ...(section === null ? [] : [safeLine(section)]),
  ].join(' · ');
}

/** What has to differ for a new line where lines cannot be redrawn. */
export function progressMilestone({ kind, status, pass, count, wait }: RunSnapshot): string {
  const parts: string[] = [];
  if (status === 'waiting' && wait !== null) parts.push(runTexts.waitingFor(safeLine(wait.what)));
  else if (status !== 'running') parts.push(runTexts.statuses[status].replace('-', ' '));
  if (pass.of > 0) parts.push(runTexts.passOf(pass.number, pass.of));
  const message = safeLine(pass.message.replace(/^Pass \d+: /, ''));
  if (message !== '') parts.push(message);
  // What is said of a brief counts its parts already.
  if (count !== null && kind !== 'brief')
    parts.push(runTexts.doneOf(count.what, count.how, count.done, count.of));
  return parts.join(' · ');
}
