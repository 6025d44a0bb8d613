import { parseMarkdown } from './parse-markdown';
import { wordsOf } from './plain-text';

/** What the reader is told first, under the title of a report or a brief: a sentence each, as plain text. */
export function leadingNotices(markdown: string): string[] {
  const [, ...others] = markdown.matchAll(/^#{1,6} /gm);
  const head = parseMarkdown(markdown.slice(0, others[0]?.index)).children ?? [];
  const title = head.findIndex(({ type }) => type === 'heading');
  const told = head[title + 1];
  if (told?.type !== 'blockquote') return [];
  return (told.children ?? []).map((notice) => wordsOf(notice).replace(/\s+/g, ' ').trim());
}

/** What stands under a heading of the second level, up to the next; empty where there is none. A section may be headed the same. */
export function chapterOf(markdown: string, title: string, which: 'first' | 'last'): string {
  const heading = `\n## ${title}\n`;
  const at = which === 'first' ? markdown.indexOf(heading) : markdown.lastIndexOf(heading);
  if (at < 0) return '';
  const from = at + heading.length;
  const end = markdown.indexOf('\n## ', from - 1);
  return markdown.slice(from, end < 0 ? undefined : end).trim();
}

/** The items of a chapter that is a list, as plain text. */
export function itemsOf(chapter: string): string[] {
  const lists = (parseMarkdown(chapter).children ?? []).filter(({ type }) => type === 'list');
  return lists
    .flatMap(({ children = [] }) => children)
    .map((item) => wordsOf(item).replace(/\s+/g, ' ').trim());
}
