import type { Progress } from '../core/contracts/run';
import { elapsedClock } from './duration';
import { safeLine } from './safe-text';

/**
 * `Pass 2/4 · Deep diving into top 50 sources… · sections 3/7 · 41 % · 0:12 · Sleep`, with the status in front unless it is
 * plain running. The section under way comes last, because lines are cut there.
 */
export function progressLine(progress: Progress, elapsedMs: number): string {
  const { section, percent } = progress;
  const isUnderWay = section !== null && section.index < section.of;
  return [
    ...progressParts(progress),
    `${Math.floor(percent)} %`,
    elapsedClock(elapsedMs),
    ...(isUnderWay ? [safeLine(section.title)] : []),
  ].join(' · ');
}

/** As `progressLine`, for who has only just come, and does not know since when. */
export function stateLine(progress: Progress): string {
  return [
    progress.status,
    ...progressParts({ ...progress, status: 'running' }),
    `${Math.floor(progress.percent)} %`,
  ].join(' · ');
}

/** What has to differ for a new line where lines cannot be redrawn. */
export function progressMilestone(progress: Progress): string {
  return progressParts(progress).join(' · ');
}

function progressParts(progress: Progress): string[] {
  const { pass, section, status } = progress;
  const parts: string[] = [];
  if (status !== 'running') parts.push(status.replace('-', ' '));
  parts.push(pass.number === 0 ? 'Start' : `Pass ${pass.number}/${pass.of}`);
  const message = safeLine(pass.message).replace(/^Pass \d+: /, '');
  if (message !== '') parts.push(message);
  if (section !== null) parts.push(`sections ${section.index}/${section.of}`);
  return parts;
}
