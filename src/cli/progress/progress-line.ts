import { type RunSnapshot, snapshotFacts, type SnapshotFact, usageText } from '../../core/run/run-snapshot';
import { elapsedClock } from '../terminal/duration';
import { safeExcerpt, safeLine } from '../terminal/safe-text';

const FACT_CHARS = 300;

/** What changes while a run goes on, where it is shown in place. */
const IN_BLOCK: readonly SnapshotFact['label'][] = ['At', 'Sources', 'Sections', 'Parts', 'Waiting', 'Used'];

/** The same facts as `status` tells, a line each, for a terminal on which they are redrawn. */
export function progressBlock(snapshot: RunSnapshot, elapsedMs: number): string[] {
  const facts = snapshotFacts(snapshot).filter(({ label }) => IN_BLOCK.includes(label));
  const warnings = snapshot.warnings.length;
  const lines: [string, string][] = [
    ['Status', `${snapshot.status}, ${elapsedClock(elapsedMs)} since its start`],
    ...facts.map(({ label, text }): [string, string] => [label, safeExcerpt(text, FACT_CHARS)]),
    ...(warnings === 0 ? [] : [['Warnings', String(warnings)] as [string, string]]),
  ];
  return lines.map(([label, text]) => `${label.padEnd(8)} ${text}`);
}

/**
 * `Pass 2/4 · Deep diving into top 50 sources… · 3 of 7 sections read · 12 calls (3 from the cache), 40,210 tokens · 0:12 · Sleep`,
 * with the status in front unless it is plain running.
 */
export function progressLine(snapshot: RunSnapshot, elapsedMs: number): string {
  const { section, usage } = snapshot;
  return [
    progressMilestone(snapshot),
    ...(usage.calls === 0 ? [] : [usageText(usage)]),
    elapsedClock(elapsedMs),
    ...(section === null ? [] : [safeLine(section)]),
  ].join(' · ');
}

/** What has to differ for a new line where lines cannot be redrawn. */
export function progressMilestone({ kind, status, pass, count, wait }: RunSnapshot): string {
  const parts: string[] = [];
  if (status === 'waiting' && wait !== null) parts.push(`waiting for ${safeLine(wait.what)}`);
  else if (status !== 'running') parts.push(status.replace('-', ' '));
  if (pass.of > 0) parts.push(pass.number === 0 ? 'Start' : `Pass ${pass.number}/${pass.of}`);
  const message = safeLine(pass.message).replace(/^Pass \d+: /, '');
  if (message !== '') parts.push(message);
  // What is said of a brief counts its parts already.
  if (count !== null && kind !== 'brief')
    parts.push(`${count.done} of ${count.of} ${count.what.toLowerCase()} ${count.how}`);
  return parts.join(' · ');
}
