import { basename, dirname, extname, resolve } from 'node:path';
import { isOfMany } from './formats/source-formats';
import { stripUnsafe } from '../core/text/untrusted-text';

/** A title stands near the top, or it is the title of something else. */
const SEARCHED_CHARS = 20_000;
const MAX_TITLE_CHARS = 300;

const HEADING =
  /^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$|^(?![ \t>#|<-])(.+)\n {0,3}(?:={3,}|-{3,})[ \t]*$|<h1[^>]*>([\s\S]*?)<\/h1>/gim;
/** A first line by itself that ends without a mark: a text without markup has its title there. */
const FIRST_LINE = /^\s*(?![>#|<*+-])(\p{Lu}[^\n]{3,118}[\p{L}\p{N})”"’])[ \t]*\n[ \t]*\n/u;
const OPENING_WORDS = 8;
const FENCED_CODE = /^(`{3,}|~{3,})[\s\S]*?^\1/gm;

/**
 * The first heading of a Markdown text as plain words, else its first line where that is a title, else the file's name:
 * `README.md` is named by its folder. Of a file of many records the name says nothing of any: such a text is named by the words that it
 * begins with, and so is one of no file.
 */
export function titleOf(content: string, file: string | null): string {
  const top = content.slice(0, SEARCHED_CHARS).replace(/\r\n?/g, '\n').replace(FENCED_CODE, '');
  for (const match of top.matchAll(HEADING)) {
    const title = plainText(match[1] ?? match[2] ?? match[3] ?? '');
    if (/[\p{L}\p{N}]/u.test(title)) return title;
  }
  const firstLine = FIRST_LINE.exec(top)?.[1];
  if (firstLine !== undefined) return plainText(firstLine);
  return file === null || isOfMany(extname(file).toLowerCase()) ? openingOf(content) : nameOf(file);
}

function plainText(markdown: string): string {
  return stripUnsafe(markdown)
    .replace(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, '')
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<[^>]+>/g, '')
    .replace(/[*`]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TITLE_CHARS);
}

function openingOf(content: string): string {
  const words = plainText(content.slice(0, MAX_TITLE_CHARS)).split(' ');
  const opening = words.slice(0, OPENING_WORDS).join(' ');
  return words.length > OPENING_WORDS ? `${opening}…` : opening || 'Untitled';
}

function nameOf(file: string): string {
  const name = basename(file, extname(file));
  const telling = /^(?:readme|index)$/i.test(name) ? basename(dirname(resolve(file))) || name : name;
  return telling.replace(/[-_]+/g, ' ').trim() || telling;
}
