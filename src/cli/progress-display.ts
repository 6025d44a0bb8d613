import type { Progress } from '../contracts/run';
import {
  localClock,
  runSnapshot,
  type RunSnapshot,
  type SnapshotFact,
  snapshotFacts,
} from '../contracts/run-status';
import { runTexts } from '../contracts/wording';
import { maxOf } from '../lib/iterables';
import { elapsedClock, safeExcerpt, safeLine } from './terminal';

export interface ProgressDisplay {
  update(progress: Progress & { note?: string }): void;
  note(line: string): void;
  giveWay(): void;
  /** Clears the drawn progress. Later updates are ignored. */
  end(): void;
}

export interface ProgressTarget {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

const REDRAW_MS = 200;

/** Redraws a block on a terminal. Elsewhere it prints a line for each change of pass, message, count or wait. */
export function showProgress(target: ProgressTarget, now: () => number = Date.now): ProgressDisplay {
  return target.isTTY === true ? redrawnBlock(target, now) : linePerChange(target, now);
}

/**
 * The terminal cuts long lines, because it knows the width of each character. Wrapped lines would break the
 * line count.
 */
const [NO_WRAP, WRAP] = ['\u001b[?7l', '\u001b[?7h'];
const CLEAR_FROM_HERE = '\r\u001b[J';

/** The cursor stays on the first line, so that other output overwrites the block. */
function redrawnBlock(target: ProgressTarget, now: () => number): ProgressDisplay {
  let latest: RunSnapshot | null = null;
  let ended = false;
  const clear = (): unknown => target.write(CLEAR_FROM_HERE);
  const draw = (): void => {
    if (latest === null || ended) return;
    const lines = progressBlock(latest, now()).slice(0, Math.max(1, (target.rows ?? 24) - 1));
    const width = Math.max(20, (target.columns ?? 80) - 1);
    const cut = lines.map((line) => (line.length > width ? `${line.slice(0, width - 1)}…` : line));
    const back = cut.length === 1 ? '\r' : `\r\u001b[${cut.length - 1}A`;
    target.write(`${CLEAR_FROM_HERE}${NO_WRAP}${cut.join('\n')}${WRAP}${back}`);
  };
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return {
    update(progress) {
      latest = runSnapshot(progress, null);
      draw();
    },
    note(line) {
      clear();
      target.write(`${line}\n`);
      draw();
    },
    giveWay() {
      if (latest !== null && !ended) clear();
    },
    end() {
      if (ended) return;
      ended = true;
      clearInterval(timer);
      clear();
    },
  };
}

function linePerChange(target: ProgressTarget, now: () => number): ProgressDisplay {
  let shown = '';
  let ended = false;
  return {
    update(progress) {
      const snapshot = runSnapshot(progress, null);
      const milestone = progressMilestone(snapshot);
      if (ended || milestone === shown) return;
      shown = milestone;
      target.write(`${progressLine(snapshot, now() - Date.parse(snapshot.startedAt))}\n`);
    },
    note(line) {
      target.write(`${line}\n`);
    },
    giveWay: () => undefined,
    end() {
      ended = true;
    },
  };
}

const FACT_CHARS = 300;

const BLOCK_FACTS: readonly SnapshotFact['label'][] = [
  'at',
  'sources',
  'sections',
  'parts',
  'waiting',
  'used',
];

function progressBlock(snapshot: RunSnapshot, now: number): string[] {
  const elapsedMs = now - Date.parse(snapshot.startedAt);
  const facts = snapshotFacts(snapshot, localClock(new Date(now))).filter(({ label }) =>
    BLOCK_FACTS.includes(label),
  );
  const warnings = snapshot.warnings.length;
  const status = runTexts.status(runTexts.statuses[snapshot.status], elapsedClock(elapsedMs));
  return alignLabels([
    [runTexts.labels.status, status],
    ...facts.map(({ name, text }): [string, string] => [name, safeExcerpt(text, FACT_CHARS)]),
    ...(warnings === 0 ? [] : [[runTexts.labels.warnings, String(warnings)] as [string, string]]),
  ]);
}

const MIN_LABEL_CHARS = 8;

export function alignLabels(lines: readonly (readonly [label: string, text: string])[]): string[] {
  const columns = maxOf([MIN_LABEL_CHARS, ...lines.map(([label]) => label.length)]);
  return lines.map(([label, text]) => `${label.padEnd(columns)} ${text}`);
}

/**
 * `Pass 2/4 · Deep diving into top 50 sources… · 3 of 7 sections read · 12 calls, 40,210 tokens · 0:12 ·
 * Sleep`. Begins with the status unless that is running.
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

export function progressMilestone({ kind, status, pass, count, wait }: RunSnapshot): string {
  const parts: string[] = [];
  if (status === 'waiting' && wait !== null) parts.push(runTexts.waitingFor(safeLine(wait.what)));
  else if (status !== 'running') parts.push(runTexts.statuses[status].replace('-', ' '));
  if (pass.of > 0) parts.push(runTexts.passOf(pass.number, pass.of));
  const message = safeLine(pass.message.replace(/^Pass \d+: /, ''));
  if (message !== '') parts.push(message);
  // The message of a brief counts its parts already.
  if (count !== null && kind !== 'brief')
    parts.push(runTexts.doneOf(count.what, count.how, count.done, count.of));
  return parts.join(' · ');
}
