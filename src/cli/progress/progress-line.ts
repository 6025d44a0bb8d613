import type { Progress } from '../../contracts/run/run';
import { elapsedClock } from '../terminal/duration';
import { safeLine } from '../terminal/safe-text';

/**
 * `Pass 2/4 · Deep diving into top 50 sources… · sections 3/7 · 41 % · 0:12 · Sleep`, with the status in front unless it is
 * plain running. The section under way comes last, because lines are cut there.
 */
export function progressLine(progress: Progress, elapsedMs: number): string {
  const { section, percent } = progress;
  const isUnderWay = section !== null && section.index < section.of && section.title !== '';
  return [
    ...progressParts(progress),
    ...(progress.waiting === null ? [] : [nextTry(progress.waiting.nextTry)]),
    `${Math.floor(percent)} %`,
    elapsedClock(elapsedMs),
    ...(isUnderWay ? [safeLine(section.title)] : []),
  ].join(' · ');
}

function nextTry(at: string): string {
  const ms = Date.parse(at) - Date.now();
  return ms <= 0 ? 'trying now' : `next try in ${elapsedClock(ms)}`;
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
  if (progress.waiting !== null) parts.push(`waiting for ${safeLine(progress.waiting.what)}`);
  else if (status !== 'running') parts.push(status.replace('-', ' '));
  parts.push(pass.number === 0 ? 'Start' : `Pass ${pass.number}/${pass.of}`);
  const message = safeLine(pass.message).replace(/^Pass \d+: /, '');
  if (message !== '') parts.push(message);
  // What is said of a brief counts its parts already.
  if (section !== null && progress.kind !== 'brief') parts.push(`sections ${section.index}/${section.of}`);
  return parts;
}
