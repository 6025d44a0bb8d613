import { runTexts } from '../../texts/run';
import type { Progress } from '../../contracts/run/run';
import type { Counted, Done } from '../../texts/run';
import { CLOSED_STATUSES } from './closed-statuses';
import { type ReadersClock, takesNoMoreFor } from './endpoint-limit';
import { passLine } from './pass-messages';

/**
 * Where a run is at a moment, for people, whoever shows it: what is known and counted, and no estimate. A terminal and a page tell
 * the same because both tell this. Times are ISO 8601.
 */
export interface RunSnapshot extends Pick<
  Progress,
  'runId' | 'kind' | 'status' | 'pass' | 'usage' | 'warnings' | 'startedAt' | 'updatedAt'
> {
  count: { what: Counted; how: Done; done: number; of: number } | null;
  section: string | null;
  wait: RunWait | null;
  failure: string | null;
}

export interface RunWait {
  /** What has to come, such as `the model endpoint`. */
  what: string;
  why: string | null;
  since: string | null;
  nextTry: string | null;
  /** Until when the endpoint takes no more requests for the model that `what` names. */
  until: string | null;
}

/** `note` is the client's remark on a run that no worker answers for. `failure` says why the run failed. */
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

const DONE_WITH: Partial<Record<Progress['pass']['name'], Done>> = {
  'deep-dive': 'read',
  'cross-reference': 'checked',
};

function countOf({ kind, pass, section, sources }: Progress): RunSnapshot['count'] {
  if (section !== null)
    return {
      what: kind === 'brief' ? 'parts' : 'sections',
      how: DONE_WITH[pass.name] ?? 'written',
      done: section.index,
      of: section.of,
    };
  return sources === undefined ? null : { what: 'sources', how: 'read', done: sources.read, of: sources.of };
}

function waitOf({
  status,
  waiting,
  parked,
  stillSince,
  startedAt,
  note,
}: Progress & { note?: string }): RunWait | null {
  if (waiting !== null) {
    const { what, reason: why, since, nextTry, until = null } = waiting;
    return { what, why, since, nextTry, until };
  }
  const plainly: Omit<RunWait, 'what'> = { why: null, since: stillSince ?? null, nextTry: null, until: null };
  if (parked !== null)
    return { ...plainly, what: 'somebody to resume it', why: parked.reason, since: parked.since };
  if (status === 'pausing' || status === 'paused') return { ...plainly, what: 'somebody to resume it' };
  if (status === 'awaiting-approval') return { ...plainly, what: 'somebody to approve of its outline' };
  if (status === 'queued')
    return { ...plainly, what: 'a worker that takes it up', why: note ?? null, since: startedAt };
  return note === undefined ? null : { ...plainly, what: 'a worker', why: note };
}

export interface SnapshotFact {
  label: keyof (typeof runTexts)['labels'];
  name: string;
  text: string;
}

/** `clock` tells the end of a limit as its reader sees it. */
export function snapshotFacts(snapshot: RunSnapshot, clock: ReadersClock): SnapshotFact[] {
  const { runId, kind, status, pass, count, section, wait, failure, usage, warnings } = snapshot;
  const hasEnded = CLOSED_STATUSES.has(status);
  const place = pass.number === 0 ? '' : runTexts.passPlace(pass.number, pass.of);
  const facts: (Omit<SnapshotFact, 'name'> | null)[] = [
    { label: 'run', text: `${runId} (${runTexts.kinds[kind]})` },
    { label: 'status', text: runTexts.statuses[status] },
    // Of a run that has ended this is how far it came.
    { label: hasEnded ? 'reached' : 'at', text: `${passLine(pass)}${place}` },
    count === null || hasEnded
      ? null
      : {
          label: count.what,
          text: `${runTexts.done(count.how, count.done, count.of)}${section === null ? '' : runTexts.now(section)}`,
        },
    wait === null ? null : { label: 'waiting', text: waitText(wait, clock) },
    failure === null ? null : { label: 'because', text: failure },
    { label: 'used', text: runTexts.used(usage) },
    {
      label: 'started',
      text: runTexts.started(runTexts.time(snapshot.startedAt), runTexts.time(snapshot.updatedAt)),
    },
    ...warnings.map(({ message }) => ({ label: 'warning' as const, text: message })),
  ];
  return facts.flatMap((fact) => (fact === null ? [] : [{ ...fact, name: runTexts.labels[fact.label] }]));
}

export function waitText({ what, why, since, nextTry, until }: RunWait, clock: ReadersClock): string {
  if (until !== null) return takesNoMoreFor({ what, until, reason: why ?? '' }, clock);
  const [from, next] = [since, nextTry].map((time) => (time === null ? null : runTexts.time(time)));
  const told = runTexts.waitsFor(what, from ?? null, next ?? null);
  return `${told}${why === null ? '' : `: ${why}`}`;
}
