import { stripUnsafe } from '../../../core/text/untrusted-text';

interface SaidOfItself {
  title?: string;
  author?: string;
  publishedAt?: string;
  language?: string;
}

const FILE_NAME = /\.[A-Za-z0-9]{2,5}$|[\\/]/;
const DATE = /^(?:D:)?(\d{4})-?(\d{2})?-?(\d{2})?/;
const FIRST_YEAR = 1950;
const LAST_YEAR = 2100;

/** Programs write a file's name, or a word of their own, where a title should be: a title has several words, and no path. */
export function saidOfItself(
  said: Readonly<Record<'title' | 'author' | 'created' | 'language', unknown>>,
): SaidOfItself {
  const [title, author, created, language] = [said.title, said.author, said.created, said.language].map(
    lineOf,
  );
  const publishedAt = dateOf(created ?? '');
  return {
    ...(isTitle(title) ? { title } : {}),
    ...(isName(author) ? { author } : {}),
    ...(publishedAt === null ? {} : { publishedAt }),
    ...(language !== undefined && /^[a-z]{2,3}(?:-\w{2,8})*$/i.test(language) ? { language } : {}),
  };
}

function isTitle(title = ''): boolean {
  return title.split(' ').length > 1 && /\p{L}{2}/u.test(title) && !FILE_NAME.test(title);
}

function isName(author = ''): boolean {
  const isWritten = /\p{L}{2}/u.test(author) && author.includes(' ');
  return isWritten && !FILE_NAME.test(author) && !author.includes('@');
}

function lineOf(value: unknown): string {
  return typeof value === 'string' ? stripUnsafe(value).replace(/\s+/g, ' ').trim() : '';
}

/** `2020-05-04` of `D:20200504120000Z` and of `2020-05-04T12:00:00Z`, or as much of it as there is; null for what is no date. */
function dateOf(value: string): string | null {
  const [, year = '', month, day] = DATE.exec(value) ?? [];
  if (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR) return null;
  const date = [year, month, day].filter((part) => part !== undefined).join('-');
  return Number.isNaN(Date.parse(date)) ? year : date;
}
