import { writingTexts } from '../../texts/writing';
import { yearOf } from './attribution';
import timeWords from './data/time-words.json';
import { inert } from './quotation';

/** Words that mean the time at which they were written. */
const { always, of, spans } = timeWords;
const OF_ITS_TIME = new RegExp(
  `\\b(?:${always.join('|')}|(?<!at the )latest|(?:${of.join('|')}) (?:${spans.join('|')}))\\b`,
  'i',
);
/** A date is short; what is longer is something else. */
const MAX_DATE_CHARS = 30;

/**
 * ` (as of 2019)` where words mean the time at which their source wrote them and nothing around them says when that was;
 * else nothing. `around` is what names the source.
 */
export function asOfNote(words: string, publishedAt: string | undefined, around: string): string {
  const date = publishedAt === undefined ? '' : shownDate(publishedAt);
  if (date === '' || !OF_ITS_TIME.test(words)) return '';
  return around.includes(yearOf(publishedAt) ?? date)
    ? ''
    : writingTexts.asOf(writingTexts.date(inert(date)));
}

/** A date as it was given, without the time of day; empty where it tells no date. */
export function shownDate(publishedAt: string): string {
  const date = publishedAt.replace(/^(\d{4}-\d{2}-\d{2})T.*$/s, '$1').trim();
  return /\d/.test(date) && date.length <= MAX_DATE_CHARS ? date : '';
}

/** The newest of dates, as it was given; of equal ones the first. A date without a year is older than any with one. */
export function newestDate(dates: readonly (string | undefined)[]): string | undefined {
  let newest: string | undefined;
  for (const date of dates) {
    if (date === undefined || shownDate(date) === '') continue;
    if (newest === undefined || dateKey(date) > dateKey(newest)) newest = date;
  }
  return newest;
}

/** What dates compare by: `2019-03-01`, or as much of it as is given; else the year. */
function dateKey(date: string): string {
  return /^\d{4}(?:-\d{2}(?:-\d{2})?)?/.exec(date)?.[0] ?? yearOf(date) ?? '';
}
