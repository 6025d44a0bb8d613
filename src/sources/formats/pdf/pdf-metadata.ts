import { stripUnsafe } from '../../../core/text/untrusted-text';

/** What a PDF says of itself, where it says something that a reader can use. */
export interface PdfMetadata {
  title?: string;
  author?: string;
  publishedAt?: string;
}

const FILE_NAME = /\.[A-Za-z0-9]{2,5}$|[\\/]/;
const DATE = /^(?:D:)?(\d{4})(\d{2})?(\d{2})?/;
const FIRST_YEAR = 1950;
const LAST_YEAR = 2100;

/** Programs write a file's name, or a word of their own, where a title should be: a title has several words, and no path. */
export function pdfMetadata(info: Readonly<Record<string, unknown>>): PdfMetadata {
  const title = lineOf(info.Title);
  const author = lineOf(info.Author);
  const publishedAt = dateOf(lineOf(info.CreationDate));
  const isTitle = title.split(' ').length > 1 && /\p{L}{2}/u.test(title) && !FILE_NAME.test(title);
  const isName = /\p{L}{2}/u.test(author) && !FILE_NAME.test(author) && !author.includes('@');
  return {
    ...(isTitle ? { title } : {}),
    ...(isName && author.includes(' ') ? { author } : {}),
    ...(publishedAt === null ? {} : { publishedAt }),
  };
}

function lineOf(value: unknown): string {
  return typeof value === 'string' ? stripUnsafe(value).replace(/\s+/g, ' ').trim() : '';
}

/** `2020-05-04` of `D:20200504120000Z`, or as much of it as there is; null for what is no date. */
function dateOf(value: string): string | null {
  const [, year = '', month, day] = DATE.exec(value) ?? [];
  if (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR) return null;
  const date = [year, month, day].filter((part) => part !== undefined).join('-');
  return Number.isNaN(Date.parse(date)) ? year : date;
}
