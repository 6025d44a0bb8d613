import type { Progress, Usage } from '../../contracts/run/run';
import { groupedDigits } from '../values/grouped-digits';
import { count } from '../writing/count';
import { CLOSED_STATUSES } from './closed-statuses';
import { passLine } from './pass-messages';

/**
 * Where a run is at a moment, for people, whoever shows it: what is known and counted, and no estimate. A terminal and a page tell
 * the same because both tell this. Times are ISO 8601.
 */
export interface RunSnapshot extends Pick<
  Progress,
  'runId' | 'kind' | 'status' | 'pass' | 'usage' | 'warnings' | 'startedAt' | 'updatedAt'
> {
  /** What the pass counts: so many are done, of all that there are. */
  count: { what: 'Sources' | 'Sections' | 'Parts'; how: string; done: number; of: number } | null;
  /** The title of the section under way, or of one of those, where several are. */
  section: string | null;
  wait: RunWait | null;
  /** Why it failed. */
  failure: string | null;
}

export interface RunWait {
  /** What has to come, such as `the model endpoint`. */
  what: string;
  why: string | null;
  since: string | null;
  nextTry: string | null;
}

/** `note` is what the client says of a run that no worker answers for. */
export function runSnapshot(progress: Progress & { note?: string }, failure: string | null): RunSnapshot {
  const { runId, kind, status, pass, usage, warnings, startedAt, updatedAt, section } = progress;
  const isUnderWay = section !== null && section.index < section.of && section.title !== '';
  return {
    runId,
    kind,
    status,
    pass,
    usage,
    warnings,
    startedAt,
    updatedAt,
    failure,
    count: countOf(progress),
    section: isUnderWay && !CLOSED_STATUSES.has(status) ? section.title : null,
    wait: CLOSED_STATUSES.has(status) ? null : waitOf(progress),
  };
}

const DONE_WITH: Partial<Record<Progress['pass']['name'], string>> = {
  'deep-dive': 'read',
  'cross-reference': 'checked',
};

function countOf({ kind, pass, section, sources }: Progress): RunSnapshot['count'] {
  if (section !== null)
    return {
      what: kind === 'brief' ? 'Parts' : 'Sections',
      how: DONE_WITH[pass.name] ?? 'written',
      done: section.index,
      of: section.of,
    };
  return sources === undefined ? null : { what: 'Sources', how: 'read', done: sources.read, of: sources.of };
}

function waitOf({
  status,
  waiting,
  parked,
  stillSince,
  startedAt,
  note,
}: Progress & { note?: string }): RunWait | null {
  if (waiting !== null)
    return { what: waiting.what, why: waiting.reason, since: waiting.since, nextTry: waiting.nextTry };
  const plainly: Omit<RunWait, 'what'> = { why: null, since: stillSince ?? null, nextTry: null };
  if (parked !== null)
    return { ...plainly, what: 'somebody to resume it', why: parked.reason, since: parked.since };
  if (status === 'pausing' || status === 'paused') return { ...plainly, what: 'somebody to resume it' };
  if (status === 'awaiting-approval') return { ...plainly, what: 'somebody to approve of its outline' };
  if (status === 'queued')
    return { ...plainly, what: 'a worker that takes it up', why: note ?? null, since: startedAt };
  return note === undefined ? null : { ...plainly, what: 'a worker', why: note };
}

/** What is told of a snapshot: a line each, or a row. */
export interface SnapshotFact {
  label:
    | 'Run'
    | 'Status'
    | 'At'
    | 'Reached'
    | 'Sources'
    | 'Sections'
    | 'Parts'
    | 'Waiting'
    | 'Because'
    | 'Used'
    | 'Started'
    | 'Warning';
  text: string;
}

export function snapshotFacts(snapshot: RunSnapshot): SnapshotFact[] {
  const { runId, kind, status, pass, count: counted, section, wait, failure, usage, warnings } = snapshot;
  const hasEnded = CLOSED_STATUSES.has(status);
  const place = pass.number === 0 ? '' : ` (${pass.number} of ${pass.of})`;
  const facts: (SnapshotFact | null)[] = [
    { label: 'Run', text: `${runId} (${kind})` },
    { label: 'Status', text: status },
    // Of a run that has ended this is how far it came.
    { label: hasEnded ? 'Reached' : 'At', text: `${passLine(pass)}${place}` },
    counted === null || hasEnded
      ? null
      : {
          label: counted.what,
          text: `${counted.done} of ${counted.of} ${counted.how}${section === null ? '' : `, now “${section}”`}`,
        },
    wait === null ? null : { label: 'Waiting', text: waitText(wait) },
    failure === null ? null : { label: 'Because', text: failure },
    { label: 'Used', text: usageText(usage) },
    {
      label: 'Started',
      text: `${shownTime(snapshot.startedAt)}, last news at ${shownTime(snapshot.updatedAt)}`,
    },
    ...warnings.map(({ message }): SnapshotFact => ({ label: 'Warning', text: message })),
  ];
  return facts.filter((fact) => fact !== null);
}

function waitText({ what, why, since, nextTry }: RunWait): string {
  const when = [
    ...(since === null ? [] : [` since ${shownTime(since)}`]),
    ...(nextTry === null ? [] : [`, next try at ${shownTime(nextTry)}`]),
  ];
  return `for ${what}${when.join('')}${why === null ? '' : `: ${why}`}`;
}

/** `12 calls (3 from the cache), 40,210 tokens, $0.1200`. */
export function usageText({ calls, cachedCalls, inputTokens, outputTokens, costUsd }: Usage): string {
  if (calls === 0) return 'no call to a model';
  return [
    `${count(calls, 'call')} (${cachedCalls} from the cache)`,
    `${groupedDigits(inputTokens + outputTokens)} tokens`,
    ...(costUsd > 0 ? [`$${costUsd.toFixed(costUsd < 1 ? 4 : 2)}`] : []),
  ].join(', ');
}

/** `2026-01-02 03:04:05 UTC`. */
export function shownTime(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}
