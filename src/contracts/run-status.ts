import type { FallbackReason, Progress, RunStatus } from './run';
import { passLine } from './run-protocol';
import { type ProgressUnit, type ProgressVerb, runTexts } from './wording';

/**
 * The state of a run for people, shown by the terminal and the run's page. All values are counts, not estimates. Times are ISO
 * 8601.
 */
export interface RunSnapshot extends Pick<
  Progress,
  'runId' | 'kind' | 'status' | 'pass' | 'usage' | 'warnings' | 'startedAt' | 'updatedAt'
> {
  count: { what: ProgressUnit; how: ProgressVerb; done: number; of: number } | null;
  section: string | null;
  wait: RunWait | null;
  failure: string | null;
}

export interface RunWait {
  /** Such as `the model endpoint`. */
  what: string;
  why: string | null;
  since: string | null;
  nextTry: string | null;
  /** End of the endpoint's limit for the model in `what`. */
  until: string | null;
}

/** `note` is the client's note that no worker answers. `failure` is the error of a failed run. */
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
    count: progressCount(progress),
    section: isUnderWay && !CLOSED_STATUSES.has(status) ? section.title : null,
    wait: CLOSED_STATUSES.has(status) ? null : toRunWait(progress),
  };
}

const PASS_ACTIONS: Partial<Record<Progress['pass']['name'], ProgressVerb>> = {
  'deep-dive': 'read',
  'cross-reference': 'checked',
};

function progressCount({ kind, pass, section, sources }: Progress): RunSnapshot['count'] {
  if (section !== null)
    return {
      what: kind === 'brief' ? 'parts' : 'sections',
      how: PASS_ACTIONS[pass.name] ?? 'written',
      done: section.index,
      of: section.of,
    };
  return sources === undefined ? null : { what: 'sources', how: 'read', done: sources.read, of: sources.of };
}

function toRunWait({
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

/** `clock` formats the end of a limit for its reader. */
export function snapshotFacts(snapshot: RunSnapshot, clock: ClockFormat): SnapshotFact[] {
  const { runId, kind, status, pass, count, section, wait, failure, usage, warnings } = snapshot;
  const hasEnded = CLOSED_STATUSES.has(status);
  const place = pass.number === 0 ? '' : runTexts.passPlace(pass.number, pass.of);
  const facts: (Omit<SnapshotFact, 'name'> | null)[] = [
    { label: 'run', text: `${runId} (${runTexts.kinds[kind]})` },
    { label: 'status', text: runTexts.statuses[status] },
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

export function waitText({ what, why, since, nextTry, until }: RunWait, clock: ClockFormat): string {
  if (until !== null) return limitSentenceFor({ what, until, reason: why ?? '' }, clock);
  const [from, next] = [since, nextTry].map((time) => (time === null ? null : runTexts.time(time)));
  const told = runTexts.waitsFor(what, from ?? null, next ?? null);
  return `${told}${why === null ? '' : `: ${why}`}`;
}

export const CLOSED_STATUSES: ReadonlySet<RunStatus> = new Set([
  'completed',
  'partial',
  'cancelled',
  'failed',
]);

interface Limit {
  /** Such as `gpt-5 at api.example.com`. */
  what: string;
  /** ISO 8601. */
  until: string;
  /** The endpoint's message; may be empty. */
  reason: string;
}

/** Formats a time for a reader at the moment `now`. */
interface ClockFormat {
  now: Date;
  time: (time: Date, now: Date) => string;
}

/** In the time zone of the process: `09:30`, `2 December, 09:30` on another day, `2 January 2027, 09:30` in another year. */
export function localClock(now: Date): ClockFormat {
  return { now, time: localTime };
}

/** For readers in an unknown time zone: `2026-12-02 09:30 UTC`. */
export function formatUtcTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `gpt-5 at api.example.com takes no more requests until 2026-12-02 09:30 UTC: Daily limit reached.` */
export function limitSentence({ what, until, reason }: Limit): string {
  return runTexts.takesNoMore(what, formatUtcTime(new Date(until)), reason);
}

/** `gpt-5 at api.example.com takes no more requests until 09:30 (in 7 h 58 min): Daily limit reached.` */
export function limitSentenceFor({ what, until, reason }: Limit, { now, time }: ClockFormat): string {
  const end = new Date(until);
  const leftMs = end.getTime() - now.getTime();
  const left = leftMs > 0 ? ` (${runTexts.in(formatTimeLeft(leftMs))})` : '';
  return runTexts.takesNoMore(what, `${time(end, now)}${left}`, reason);
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

function localTime(time: Date, now: Date): string {
  const clock = [time.getHours(), time.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
  if (time.toDateString() === now.toDateString()) return clock;
  const day = time.getFullYear() === now.getFullYear() ? DAY : DAY_OF_YEAR;
  return `${day.format(time)}, ${clock}`;
}

/** `42 min`, `7 h 58 min`, `3 d 4 h`; rounded to the minute, from 48 h on up to the hour. */
function formatTimeLeft(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const hours = Math.ceil(minutes / 60);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** A step whose model gave no usable answer. */
export interface FailedStep {
  step: string;
  model?: string;
  reason: FallbackReason;
  /** The list that its answers lacked; absent for other reasons, or if unknown. */
  lacks?: string;
  sources?: RefusedSource[];
}

export interface RefusedSource {
  id: string;
  title: string;
}

const MAX_TITLE_CHARS = 80;
/** Further sources are only counted. */
const MAX_NAMED_SOURCES = 3;

/** A clause for after a colon; `calls` is the number of answers with this fault. */
export function reasonClause(
  { reason, lacks, sources = [] }: Omit<FailedStep, 'step'>,
  calls: number,
): string {
  const answers = calls <= 1 ? 'its answer was' : `its ${calls} answers were`;
  const ofAnswers = calls <= 1 ? 'its answer' : `its ${calls} answers`;
  switch (reason) {
    case 'empty':
      return `${answers} empty`;
    case 'thinking':
      return `it spent all tokens of ${ofAnswers} on thinking`;
    case 'not-json':
      return `${answers} not JSON`;
    case 'off-schema':
      return lacks === undefined
        ? `${ofAnswers} did not keep to the schema`
        : `${ofAnswers} had no list “${lacks}”`;
    case 'uncited':
      return calls <= 1 ? 'its text cites no source' : `its ${calls} texts cite no source`;
    case 'unsupported':
      return `nothing of ${ofAnswers} was found in the sources`;
    case 'nothing-found':
      return 'it found nothing in sources that answer the question';
    case 'cut-off':
      return `${answers} cut off`;
    case 'repeated':
      return 'it repeated itself';
    case 'filtered':
      return sources.length === 0
        ? 'the endpoint’s content filter refused the material'
        : `the endpoint’s content filter refused ${listRefusedSources(sources)}`;
    case 'too-long':
      return 'the material did not fit into its context window';
    case 'too-slow':
      return 'it did not answer in time';
    case 'unreadable':
      return 'the endpoint’s answers could not be read';
    case 'refused':
      return 'the endpoint fails at this request, and answers others';
    case 'budget':
      return 'the budget did not reach';
  }
}

/** `outcome` is a sentence about the replacement. */
export function failedSentence(failed: FailedStep, name: string, calls: number, outcome: string): string {
  const model = failed.model === undefined ? 'The model' : `The model ${failed.model}`;
  const wanted = failed.step === 'write-text' || failed.step === 'answer' ? 'text' : 'answer';
  return `${model} gave no usable ${wanted} for ${name}: ${reasonClause(failed, calls)}. ${outcome}`;
}

export function refusedSentence(sources: readonly RefusedSource[]): string {
  const [are, they] = sources.length === 1 ? ['is', 'It'] : ['are', 'They'];
  return `The endpoint’s content filter refused ${listRefusedSources(sources)}. ${they} ${are} left out.`;
}

function listRefusedSources(sources: readonly RefusedSource[]): string {
  const named = sources.slice(0, MAX_NAMED_SOURCES).map(({ title }) => `“${shortTitle(title)}”`);
  const more = sources.length - named.length;
  const all = more === 0 ? named : [...named, `${more} more`];
  const last = all.at(-1) ?? '';
  const list = all.length === 1 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
  return `the ${sources.length === 1 ? 'source' : 'sources'} ${list}`;
}

/** Titles are untrusted text: one line, shortened. */
function shortTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_TITLE_CHARS ? line : `${line.slice(0, MAX_TITLE_CHARS - 1)}…`;
}
