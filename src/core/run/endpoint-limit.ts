import { runTexts } from '../../texts/run';

interface Limit {
  /** Such as `gpt-5 at api.example.com`. */
  what: string;
  /** ISO 8601. */
  until: string;
  /** The endpoint's own words; empty where it has none. */
  reason: string;
}

/** How a reader sees a time at the moment `now`. */
export interface ReadersClock {
  now: Date;
  time: (time: Date, now: Date) => string;
}

/**
 * The clock of the process's time zone: `09:30`, `2 December, 09:30` on another day, `2 January 2027, 09:30` in another year.
 */
export function localClock(now: Date): ReadersClock {
  return { now, time: localTime };
}

/** For readers whose clock is not known: `2026-12-02 09:30 UTC`. */
export function utcTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** `gpt-5 at api.example.com takes no more requests until 2026-12-02 09:30 UTC: Daily limit reached.` */
export function takesNoMore({ what, until, reason }: Limit): string {
  return runTexts.takesNoMore(what, utcTime(new Date(until)), reason);
}

/** `gpt-5 at api.example.com takes no more requests until 09:30 (in 7 h 58 min): Daily limit reached.` */
export function takesNoMoreFor({ what, until, reason }: Limit, { now, time }: ReadersClock): string {
  const end = new Date(until);
  const leftMs = end.getTime() - now.getTime();
  const left = leftMs > 0 ? ` (${runTexts.in(timeLeft(leftMs))})` : '';
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

/** `42 min`, `7 h 58 min`, `3 d 4 h`; rounded to the minute, or up to the hour. */
function timeLeft(milliseconds: number): string {
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  const hours = Math.ceil(minutes / 60);
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
